/** Opens a second factor's secret that a version without secret key stored: sealed by the sign-in library itself. */
export const openByLibrary = async (key: string, sealed: string): Promise<string | null> => {
  const { symmetricDecrypt } = await import("better-auth/crypto");
  try {
    return await symmetricDecrypt({ key, data: sealed });
  } catch {
    return null;
  }
};
