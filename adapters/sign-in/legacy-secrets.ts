/** Opens a second factor's secret as versions before the secret key kept it: sealed by the sign-in library itself. */
export const openByLibrary = async (key: string, sealed: string): Promise<string | null> => {
  const { symmetricDecrypt } = await import("better-auth/crypto");
  try {
    return await symmetricDecrypt({ key, data: sealed });
  } catch {
    return null;
  }
};
