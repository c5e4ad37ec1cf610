import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Components } from '../../contracts/component.ts';
import { kubectlVersion } from '../kubectl.ts';
import { Session } from '../session.ts';
import { everyday } from './index.ts';
import { kubectlTable } from './table.ts';

const docs = path.resolve(import.meta.dirname, '../../../docs');

/**
 * `npm run kubectl`: runs every command of the table against a cluster, and writes the table if each behaves as
 * expected.
 */
const { components } = (await import('#components')) as { readonly components: Components };
const version = kubectlVersion();
if (version === undefined) throw new Error('Failed to run kubectl: it is not on the PATH.');
console.log(`kubectl ${version}`);
await using session = await Session.ofCluster(components);
const rows = everyday.flatMap((group) => group.rows);
const wrong = (await session.carryOut('everyday', rows, docs)).filter((one) => one !== undefined);
if (wrong.length === 0) {
  await writeFile(path.join(docs, 'kubectl.md'), kubectlTable(everyday));
  console.log(`${rows.length} commands did as docs/kubectl.md says now.`);
} else {
  for (const one of wrong) console.error(`${one}\n`);
  console.error(
    `${wrong.length} of ${rows.length} commands did otherwise than harness/kubectl/everyday says.`,
  );
  process.exitCode = 1;
}
