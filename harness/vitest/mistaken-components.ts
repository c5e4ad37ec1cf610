import path from 'node:path';
import { componentTable } from '../cluster/component-table.ts';
import { componentsIn, type Exports } from '../cluster/own-components.ts';
import type { Components } from '../contracts/component.ts';
import type { Mistake } from '../testing/mistakes.ts';
import { judgedKata, readReference } from '../workbook/katas.ts';
import { exportsOf } from '../workbook/sources.ts';
import { KataModules } from './judge-modules.ts';

/**
 * Loads the components of a kata's reference with one of the kata's mistakes.
 *
 * @param root the workbook's folder
 * @param load imports modules outside of `katas/` and `solutions/`
 * @throws Error when the kata or the mistake does not exist
 */
export async function mistakenComponents(
  root: string,
  { kata: id, mistake }: { readonly kata: string; readonly mistake: string },
  load: (what: string) => Promise<unknown>,
): Promise<Partial<Components>> {
  const kata = judgedKata(root, id);
  if (!kata) throw new Error(`Failed to load ${mistake}: kata ${id} does not exist.`);
  const { mistakes } = (await load(path.join(kata.solution, 'mistakes.ts'))) as {
    readonly mistakes: readonly Mistake[];
  };
  const change = mistakes.find((each) => each.id === mistake);
  if (!change) throw new Error(`Failed to load ${mistake}: ${id} has no such mistake.`);
  const subjects = Object.values(componentTable).flatMap((row) => (row.kata === id ? [row.subject] : []));
  const files = [...readReference(kata)].flatMap(([file, text]) =>
    exportsOf({ file, text }).some((name) => subjects.includes(name)) ? [file] : [],
  );
  const evaluate = await new KataModules(root, load).link(kata, { kind: 'mistake', change }, files);
  const exports: Exports = Object.assign({}, ...files.map((file) => evaluate(file)));
  return componentsIn(id, exports, { unwritten: [], onStandIn: () => {} });
}
