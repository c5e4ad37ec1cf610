import { Stops } from '../cli/stops.ts';
import { main, root, terminal } from '../cli/terminal.ts';
import { runPage } from './page-command.ts';

/** `npm run page`: a page with a whole cluster, served until Ctrl-C or built as a static site. */
await main(async () => {
  const stops = new Stops();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (!stops.closed) return stops.request();
      // The user asks again while the server shuts down: end at once.
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    });
  }
  const cwd = process.env.INIT_CWD ?? process.cwd();
  await runPage(process.argv.slice(2), { root, cwd, terminal, stops });
});
