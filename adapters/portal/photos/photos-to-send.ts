/** Photos that were chosen for a vehicle before it was there, by the vehicle's id. */
const waiting = new Map<number, readonly File[]>();

/** Has the vehicle's page send these photos when it opens. */
export const sendPhotosLater = (vehicleId: number, files: readonly File[]): void => {
  if (files.length > 0) waiting.set(vehicleId, files);
};

/** The photos that wait for the vehicle, once. */
export const takePhotosToSend = (vehicleId: number): readonly File[] => {
  const files = waiting.get(vehicleId) ?? [];
  waiting.delete(vehicleId);
  return files;
};
