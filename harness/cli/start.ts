import type { Components } from '../contracts/component.ts';
import { start } from './start-command.ts';
import { main, paint, root, terminal } from './terminal.ts';

/** `npm start`: what a newcomer types first. Applies a manifest to a cluster and shows what happens. */
await main(async () => {
  const { components } = (await import('#components')) as { readonly components: Components };
  await start(process.argv.slice(2), {
    root,
    // npm runs us in the workbook's folder, wherever it was typed.
    cwd: process.env.INIT_CWD ?? process.cwd(),
    // Some terminals say that they are 0 wide.
    width: Math.min(110, Math.max(60, process.stdout.columns || 100)),
    components,
    terminal,
    paint,
  });
});
