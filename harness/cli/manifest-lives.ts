import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Pod } from '../api/objects.ts';
import type { Components } from '../contracts/component.ts';
import { schedulingTables } from '../drawing/scheduling-table.ts';
import type { SequenceDiagram } from '../drawing/sequence/diagram.ts';
import { toKataTable } from '../drawing/sequence/kata-table.ts';
import { toMermaid } from '../drawing/sequence/mermaid.ts';
import { firstPod, sequenceDiagram } from '../drawing/sequence/sequence-diagram.ts';
import { toSvg } from '../drawing/sequence/svg.ts';
import { toText } from '../drawing/sequence/text.ts';
import type { Paint } from './colours.ts';
import { Failure } from './failure.ts';
import { type FirstRun, firstRun } from './first-run.ts';
import { registriesFor } from './images.ts';
import { readManifestFile } from './manifest-file.ts';
import { renderSchedulingTable } from './scheduling-lines.ts';
import { refusalOf } from './story.ts';
import { wrap } from './wrap.ts';

/** The lives of a manifest's objects, by name: `npm run life -- apply web.yaml`. */
export const manifestLives: Readonly<Record<string, string>> = {
  apply: 'draws one kubectl apply, from the request to Running, as a sequence diagram',
  scheduling: 'prints the scores and the filters of the scheduler for each pod of a manifest',
};

/** The context of a command, and its words after the name. */
interface ManifestLifeOptions {
  readonly name: string;
  readonly words: readonly string[];
  readonly root: string;
  readonly cwd: string;
  readonly components: Partial<Components>;
  /** The katas whose components are the learner's. */
  readonly own: readonly string[];
}

/** A finished run, and its presentation. */
export interface ManifestLife {
  /** Returns the lines to print. */
  readonly render: (style: { readonly width: number; readonly paint: Paint }) => readonly string[];
  /** Whether the lines are the input of another program, which nothing else may be mixed with. */
  readonly isData: boolean;
  /** The server's rejection of an object, to throw after the lines. */
  readonly refusal?: Failure;
}

/** @throws Failure when the words or the manifest cannot be read, or the picture cannot be written */
export async function manifestLife(options: ManifestLifeOptions): Promise<ManifestLife> {
  const { name, root, cwd, components, own } = options;
  const { manifest, mermaid, katas, svg, onePod, anyImage } = parse(name, options.words);
  const { name: file, objects } = await readManifestFile(manifest, { root, cwd });
  const registry = registriesFor({ anyImage, tell: () => {} });
  const run = await firstRun(objects, { components, registry, source: file });
  const rejected = refusalOf(run);
  const refusal = rejected && { refusal: rejected };
  const typed = `kubectl apply -f ${file}`;
  if (name === 'scheduling') {
    const tables = schedulingOf(run, components);
    return {
      render: (style) => [...introduction(typed, SCHEDULING, style), ...tables],
      isData: false,
      ...refusal,
    };
  }
  const diagram = diagramOf(run, onePod || katas);
  const sinceMs = run.record.beganMs;
  if (katas) {
    const cellOf = (kata: string): string => (own.includes(kata) ? `**${kata}**` : kata);
    return {
      render: (style) => [...introduction(typed, KATAS, style), ...toKataTable(diagram, { sinceMs, cellOf })],
      isData: false,
      ...refusal,
    };
  }
  if (mermaid)
    return { render: () => toMermaid(diagram, { sinceMs }).trimEnd().split('\n'), isData: true, ...refusal };
  if (svg !== undefined) {
    const target = path.resolve(cwd, svg);
    await write(target, svg, toSvg(diagram, { sinceMs, title: typed }));
    return {
      render: () => ['', `${svg}: ${diagram.steps.length} steps. Open it in a browser.`, ''],
      isData: false,
      ...refusal,
    };
  }
  const lines = toText(diagram, { sinceMs });
  return {
    render: (style) => [...introduction(typed, SEQUENCE, style), ...lines],
    isData: false,
    ...refusal,
  };
}

const SEQUENCE =
  'Each write to the apiserver (→), each event that a component acted on (←), and each call of a kubelet. Times are in ms since ' +
  'the first request. ×3 stands for three messages of the same moment: --one-pod follows one pod. --mermaid prints the ' +
  'diagram for Markdown, and --svg FILE draws it.';

const KATAS =
  'The way of one pod, and the katas that build what acts in each step. Each action of a component stands once. Yours are marked **.';

const SCHEDULING =
  'The scheduler rejects a node if one filter does. It scores the other nodes: each plugin gives 0 to 100, times its weight. ' +
  'A node with the highest total gets the pod.';

function introduction(
  typed: string,
  look: string,
  { width, paint }: { readonly width: number; readonly paint: Paint },
): readonly string[] {
  return [paint('bold', `$ ${typed}`), ...wrap(look, width, '# ').map((line) => paint('dim', line)), ''];
}

/** The words of a command. */
interface Parsed {
  readonly manifest?: string;
  readonly mermaid: boolean;
  readonly katas: boolean;
  readonly svg?: string;
  readonly onePod: boolean;
  readonly anyImage: boolean;
}

function parse(name: string, words: readonly string[]): Parsed {
  const rest = [...words];
  const take = (option: string): boolean => {
    const index = rest.indexOf(option);
    if (index >= 0) rest.splice(index, 1);
    return index >= 0;
  };
  const isDrawn = name === 'apply';
  const at = isDrawn ? rest.indexOf('--svg') : -1;
  const [, svg] = at < 0 ? [] : rest.splice(at, 2);
  const anyImage = take('--any-image');
  const [mermaid, onePod] = [isDrawn && take('--mermaid'), isDrawn && take('--one-pod')];
  const katas = isDrawn && take('--katas');
  const next = `Type npm run life -- ${name}${isDrawn ? ', with --mermaid, --svg FILE, --katas or --one-pod' : ''}, and the path of a manifest.`;
  if (at >= 0 && (svg === undefined || svg.startsWith('-'))) {
    throw new Failure('draw the run', 'the option --svg needs the name of a file', next);
  }
  const unknown = rest.find((word) => word.startsWith('-'));
  if (unknown !== undefined) {
    throw new Failure(`show the life ${name}`, `the option ${unknown} does not exist`, next);
  }
  const [manifest, ...more] = rest;
  if (more.length > 0) throw new Failure(`show the life ${name}`, 'it takes one manifest', next);
  return {
    ...(manifest !== undefined && { manifest }),
    ...(svg !== undefined && { svg }),
    ...{ mermaid, katas, onePod, anyImage },
  };
}

function diagramOf({ record }: FirstRun, onePod: boolean): SequenceDiagram {
  const { trace, journal, beganMs } = record;
  const whole = sequenceDiagram(trace, { journal, fromMs: beganMs });
  const pod = onePod ? firstPod(whole) : undefined;
  return pod === undefined ? whole : sequenceDiagram(trace, { journal, fromMs: beganMs, onlyPod: pod });
}

function schedulingOf({ record }: FirstRun, { scoring }: Partial<Components>): readonly string[] {
  const { trace, journal, beganMs } = record;
  const tables = schedulingTables(
    trace.filter(({ atMs }) => atMs >= beganMs),
    scoring?.plugins,
  );
  if (tables.length === 0) return ['The scheduler explained no decision: no pod needed a node.', ''];
  const bound = new Map<string, string | undefined>(
    journal.flatMap(({ verb, key, object }) =>
      verb === 'bind' ? [[`pods/${key}`, (object as Pod).spec.nodeName] as const] : [],
    ),
  );
  return tables.flatMap((table) => [
    ...renderSchedulingTable(table, { sinceMs: beganMs, bound: bound.get(table.pod) }),
    '',
  ]);
}

async function write(target: string, name: string, content: string): Promise<void> {
  try {
    await writeFile(target, content);
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    throw new Failure(`write ${name}`, code, 'Name a file in a folder that exists.');
  }
}
