import type {
  Apply,
  ApplyContext,
  ApplyOptions,
  ApplyReport,
  ManifestDocument,
} from '../contracts/apply/index.ts';

/** Thrown for an apply that rejects, hangs, or returns no report. */
export class BrokenApply extends Error {
  override readonly name = 'BrokenApply';
}

/** The longest run of an apply that no deletion delays, in ms: the retries of many objects take less. */
const LONGEST_MS = 600_000;

/**
 * Runs an apply, which may be a learner's.
 *
 * @throws BrokenApply instead of waiting without end, or of returning anything but a report
 */
export async function runApply(
  apply: Apply,
  context: ApplyContext,
  documents: readonly ManifestDocument[],
  options: ApplyOptions,
): Promise<ApplyReport> {
  const ended = new AbortController();
  // A deletion that `force` waits for can take any time.
  const limitMs = options.force ? undefined : LONGEST_MS;
  const running = (async () => apply(context, documents, options))().catch((error: unknown) => {
    throw new BrokenApply(
      `The apply of kata 11 rejects: ${said(error)}. It must return each error in the errors of its report.`,
      { cause: error },
    );
  });
  const hanging = limitMs === undefined ? [] : [overdue(context, limitMs, ended.signal)];
  try {
    const report = await Promise.race([running, ...hanging]);
    if (isReport(report)) return report;
    throw new BrokenApply(
      'The apply of kata 11 returns no report: an object with the lists applied, warnings and errors.',
    );
  } finally {
    ended.abort();
  }
}

async function overdue({ clock }: ApplyContext, ms: number, signal: AbortSignal): Promise<never> {
  await clock.sleep(ms, signal).catch(() => {});
  throw new BrokenApply(
    `The apply of kata 11 has not ended after ${ms / 60_000} minutes of the cluster's time. A promise that it awaits never settles, or it retries without end.`,
  );
}

const said = (error: unknown): string =>
  (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).replace(/\.$/, '');

/** A learner's file is not type-checked before it runs. */
function isReport(report: unknown): report is ApplyReport {
  const { applied, warnings, errors } = (report ?? {}) as Partial<ApplyReport>;
  return [applied, warnings, errors].every(Array.isArray);
}
