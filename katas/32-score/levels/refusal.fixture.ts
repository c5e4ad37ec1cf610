import { NotImplemented } from '#harness';

/** Returns the message of an error as text. @throws NotImplemented unchanged, so that a learner reads it */
export function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof NotImplemented) throw error;
    return String(error);
  }
  return 'nothing was thrown';
}
