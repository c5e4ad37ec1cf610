import { NotImplemented } from '#harness';

/** What it rejects with, as text. @throws NotImplemented as it is, so that it is the failure that a learner reads */
export async function failureOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof NotImplemented) throw error;
    return String(error);
  }
  return 'it did not fail';
}
