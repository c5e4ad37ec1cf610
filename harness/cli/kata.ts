import { doctor } from './doctor/command.mjs';
import { thisMachine } from './doctor/this-machine.mjs';
import { runKata } from './kata-commands.ts';
import { runTests } from './run-command.ts';
import { main, paint, root, terminal } from './terminal.ts';

/** `npm run kata`: lists the katas, gives hints, runs tests, resets stubs, and examines the machine. */
const [command, ...words] = process.argv.slice(2);
let exitCode = 0;
await main(async () => {
  if (command === 'run') exitCode = runTests(root, words);
  else if (command === 'doctor') exitCode = await doctor(thisMachine(root), words);
  else runKata(process.argv.slice(2), { root, terminal, paint });
});
process.exitCode ||= exitCode;
