/**
 * Gives the permissions of a new resource to stored super-admin users and keys that have every other permission.
 * Without this, nobody could use the resource or grant its permissions. `place` is the position of the resource among
 * those with permissions, from 0.
 */
export const grantToSuperAdmins = (place: number): string[] => {
  const [before, after] = [8 ** place - 1, 8 ** (place + 1) - 1];
  return [
    `UPDATE users SET permissions = ${after} WHERE role = 'super_admin' AND permissions = ${before}`,
    `UPDATE api_keys SET permissions = ${after} WHERE association = 'none' AND permissions = ${before}`,
  ];
};
