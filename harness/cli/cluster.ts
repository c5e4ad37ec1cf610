import type { Components } from '../contracts/component.ts';
import { runCluster } from './cluster-command.ts';
import { main, paint, root, terminal } from './terminal.ts';

/** `npm run cluster` and `npm run apiserver`: run a cluster for a real kubectl until Ctrl-C. */
await main(async () => {
  const { components } = (await import('#components')) as { readonly components: Components };
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  await runCluster(process.argv.slice(2), {
    root,
    cwd: process.env.INIT_CWD ?? process.cwd(),
    components,
    terminal,
    paint,
    signal: stop.signal,
  });
});
