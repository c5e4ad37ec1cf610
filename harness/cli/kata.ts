import { runKata } from './kata-commands.ts';
import { runTests } from './run-command.ts';
import { main, paint, root, terminal } from './terminal.ts';

/** `npm run kata`: the katas, their hints, their tests, and the way back to the beginning. */
const [command, ...words] = process.argv.slice(2);
let exitCode = 0;
await main(async () => {
  if (command === 'run') exitCode = runTests(root, words);
  else runKata(process.argv.slice(2), { root, terminal, paint });
});
process.exitCode ||= exitCode;
