/**
 * Gives the permissions of a new resource to stored super-admins, users and keys, that hold every other one. Without
 * them nobody could use the resource or hand its permissions out. `place` is the resource's among those with
 * permissions, from 0.
 */
export const grantToSuperAdmins = (place: number): string[] => {
  const [before, after] = [8 ** place - 1, 8 ** (place + 1) - 1];
  return [
    `UPDATE users SET permissions = ${after} WHERE role = 'super_admin' AND permissions = ${before}`,
    `UPDATE api_keys SET permissions = ${after} WHERE association = 'none' AND permissions = ${before}`,
  ];
};
