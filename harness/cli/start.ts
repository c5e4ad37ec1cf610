import type { Components } from '../contracts/component.ts';
import { start } from './start-command.ts';
import { main, paint, root, terminal } from './terminal.ts';

/** `npm start`: the first command of a newcomer. Applies a manifest to a cluster and shows the run. */
await main(async () => {
  const { components } = (await import('#components')) as { readonly components: Components };
  await start(process.argv.slice(2), {
    root,
    // npm runs scripts in the workbook's folder, wherever the user typed the command.
    cwd: process.env.INIT_CWD ?? process.cwd(),
    // Some terminals report a width of 0.
    width: Math.min(110, Math.max(60, process.stdout.columns || 100)),
    components,
    terminal,
    paint,
  });
});
