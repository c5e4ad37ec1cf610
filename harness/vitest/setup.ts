import { aroundEach, type TestContext } from 'vitest';
import { NotImplemented } from '../contracts/todo.ts';
import { type Evidence, installProperties, resetEvidence, takeEvidence } from '../testing/property.ts';
import { installRealTimeGuard, RealTimeUsed, takeOffence } from './real-time-guard.ts';
import { NeverEnded, NeverYielded, watched } from './watchdog.ts';
import { isUnderTest, isWorkbookFile } from './workbook-file.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** Set on tests that failed. */
    evidence?: Evidence;
  }
}

const installed = Symbol.for('kubernetes-katas/setup');
const once: { [installed]?: boolean } = globalThis as object;
if (!once[installed]) {
  once[installed] = true;
  installProperties();
  installRealTimeGuard(isUnderTest);
}

// A test that was abandoned may still be running: what follows it in its file would be disturbed, or hang alike.
let abandoned: string | undefined;

aroundEach(async (runTest, { task, skip }) => {
  if (abandoned) skip(abandoned);
  resetEvidence();
  NotImplemented.last = undefined;
  const awaitsOnlyItself = /^(katas|solutions)$/.test(task.file.projectName ?? '');
  let ending: { readonly error: unknown } | undefined;
  try {
    // A little before Vitest's own timeout, which knows less.
    await watched(runTest, { totalMs: task.timeout - 250, ...(awaitsOnlyItself && { idleMs: 1_000 }) });
  } catch (error) {
    ending = { error };
    if (error instanceof NeverYielded || error instanceof NeverEnded)
      abandoned = `"${task.name}" never ended`;
  }
  keepEvidence(task);
  if (awaitsOnlyItself) for (const error of task.result?.errors ?? []) keepOwnFrames(error);
  // A real timer explains why a test never settled, and not the other way round.
  const offence = takeOffence();
  if (offence) throw new RealTimeUsed(offence);
  if (ending) throw ending.error;
  // A loop that retries swallows what the stub said, and fails later with something that explains nothing.
  if (task.result?.state === 'fail' && NotImplemented.last) throw NotImplemented.last;
});

function keepEvidence(task: TestContext['task']): void {
  const evidence = takeEvidence();
  if (task.result?.state !== 'pass') task.meta.evidence = evidence;
}

/** Vitest looks up the source of every frame. Those of the harness are not shown, and its files are large. */
function keepOwnFrames(error: { stack?: string }): void {
  const lines = error.stack?.split('\n') ?? [];
  const own = lines.filter((line) => !/^\s+at /.test(line) || isWorkbookFile(line));
  if (own.some((line) => /^\s+at /.test(line))) error.stack = own.join('\n');
}
