import { type ComponentRow, componentTable, processCalled } from '../../cluster/component-table.ts';
import type { SequenceDiagram, Step } from './diagram.ts';
import type { RenderOptions } from './mermaid.ts';
import { APISERVER, PLUGINS, PROGRAM, RUNTIME } from './participants.ts';
import { actionOf, outcomeOf, timeOf } from './step-label.ts';
import { english } from './words.ts';

/** Options of {@link toKataTable}. */
interface KataTableOptions extends RenderOptions {
  /** Returns the text of a kata's cell: a link, or the id with a mark. */
  readonly cellOf: (kata: string) => string;
}

/** Every request passes them. The table names them once. */
const API = ['13-access', '14-admission', '12-store'];

/**
 * Renders a diagram as a Markdown table: each step, and the katas that build what acts there. Steps that repeat the
 * same action of the same component are left out.
 */
export function toKataTable(
  { steps }: SequenceDiagram,
  { sinceMs = 0, words = english, cellOf }: KataTableOptions,
): readonly string[] {
  const first = steps.filter((step, index) => steps.findIndex((other) => isAlike(other, step)) === index);
  const write = first.find(({ to, failure }) => to === APISERVER && failure === undefined);
  const rows = first.map((step) => {
    const katas = [...katasOf(step), ...(step === write ? API : [])];
    const did = [actionOf(step), outcomeOf(step, words)].filter(Boolean).join(' · ');
    const text = step.kind === 'note' ? step.lines.join('; ') : `${step.kind === 'event' ? '←' : '→'} ${did}`;
    const who = step.kind === 'event' ? step.to : step.from;
    return `| ${timeOf(step, sinceMs)} | ${who} | ${text} | ${katas.map(cellOf).join(', ')} |`;
  });
  return ['| ms | who | what | katas |', '|---|---|---|---|', ...rows];
}

function isAlike(a: Step, b: Step): boolean {
  const [of, with_] = [a, b].map(({ kind, from, to, verb, objects }) => {
    const kinds = new Set(objects.map((object) => object.split('/')[0]));
    return [kind, from, to, verb, ...kinds].join(' ');
  });
  return of === with_;
}

/** Returns the katas that build the actors of a step, in the order of their actions. */
function katasOf({ kind, from, to, verb }: Step): readonly string[] {
  if (kind === 'note') return ['31-filter', '32-score'];
  if (kind === 'event') return ['21-informer', ...kataOf(to)];
  if (to === PLUGINS) return ['52-pod-network', '51-ipam'];
  if (to === PROGRAM) return ['42-probes'];
  if (to === RUNTIME && verb === 'pullImage') return ['43-images'];
  if (from === 'kubectl') return ['11-apply'];
  if (verb === 'createToken') return ['44-volumes'];
  const isController = processCalled(from)?.once === 'cluster' && verb === 'create';
  return [...(isController ? ['22-workqueue'] : []), ...kataOf(from)];
}

/** Returns the kata of a process; none if no kata builds it. */
function kataOf(process: string): readonly string[] {
  const row = processCalled(process);
  const rows: readonly ComponentRow[] = Object.values(componentTable);
  return rows.flatMap(({ kata, process: own }) => (row && own?.name === row.name ? [kata] : []));
}
