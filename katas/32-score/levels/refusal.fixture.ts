import { NotImplemented } from '#harness';

/** What a call refuses with, as text. @throws NotImplemented as it is, so that it is the failure that a learner reads */
export function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof NotImplemented) throw error;
    return String(error);
  }
  return 'nothing was thrown';
}
