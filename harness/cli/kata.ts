import { doctor } from './doctor/command.mjs';
import { thisMachine } from './doctor/this-machine.mjs';
import { runKata } from './kata-commands.ts';
import { runReport } from './report/report-command.ts';
import { runTests } from './run-command.ts';
import { Stops } from './stops.ts';
import { main, paint, root, terminal } from './terminal.ts';

/**
 * `npm run kata`: lists the katas, gives hints, runs tests, resets stubs, examines the machine, and reports the
 * learner's progress.
 */
const [command, ...words] = process.argv.slice(2);
let exitCode = 0;
await main(async () => {
  if (command === 'run') exitCode = runTests(root, words);
  else if (command === 'doctor') exitCode = await doctor(thisMachine(root), words);
  else if (command === 'report') exitCode = await report();
  else runKata(process.argv.slice(2), { root, terminal, paint });
});
process.exitCode ||= exitCode;

async function report(): Promise<number> {
  const { stdout } = process;
  const stops = new Stops();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stops.request());
  return runReport(words, {
    root,
    cwd: process.env.INIT_CWD ?? process.cwd(),
    terminal,
    paint,
    stops,
    nowMs: Date.now,
    size: () => (stdout.isTTY ? { columns: stdout.columns, lines: stdout.rows } : undefined),
    write: (text) => void stdout.write(text),
  });
}
