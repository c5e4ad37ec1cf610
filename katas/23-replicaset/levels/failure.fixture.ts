import { NotImplemented } from '#harness';

/**
 * Returns the error of a rejected promise as text.
 *
 * @throws NotImplemented unchanged, so that the learner reads it
 */
export async function failureOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof NotImplemented) throw error;
    return String(error);
  }
  return 'it did not fail';
}
