import type { Program } from './program.ts';

/**
 * Lists the processes that this process sees, as busybox does. It ignores its arguments, such as `aux`.
 *
 * Differs: every process belongs to root, and its CPU time is not shown.
 */
export const ps: Program = async ({ processes, stdout }) => {
  stdout('PID   USER     TIME  COMMAND\n');
  for (const { pid, argv } of processes().toSorted((a, b) => a.pid - b.pid)) {
    stdout(`${String(pid).padStart(5)} root      0:00 ${argv.join(' ')}\n`);
  }
  return 0;
};
