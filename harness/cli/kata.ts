import { runKata } from './kata-commands.ts';
import { main, paint, root, terminal } from './terminal.ts';

/** `npm run kata`: the katas, their hints, and the way back to the beginning. */
await main(async () => runKata(process.argv.slice(2), { root, terminal, paint }));
