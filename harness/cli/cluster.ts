import type { Components } from '../contracts/component.ts';
import { runCluster } from './cluster-command.ts';
import { Stops } from './stops.ts';
import { main, paint, root, terminal } from './terminal.ts';

/** `npm run cluster` and `npm run apiserver`: run a cluster for a real kubectl until Ctrl-C. */
await main(async () => {
  const { components } = (await import('#components')) as { readonly components: Components };
  const stops = new Stops();
  // SIGHUP: the user has closed the terminal.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (!stops.closed) return stops.request();
      // The user asks again while the cluster shuts down: end at once.
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    });
  }
  await runCluster(process.argv.slice(2), {
    root,
    cwd: process.env.INIT_CWD ?? process.cwd(),
    components,
    terminal,
    paint,
    stops,
  });
});
