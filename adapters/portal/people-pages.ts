// The pages of users and of the audit log, which are loaded together.
export { AuditPage } from "./audit/audit-page.tsx";
export { NewUserPage } from "./users/new-user-page.tsx";
export { UserPage } from "./users/user-page.tsx";
export { UsersPage } from "./users/users-page.tsx";
