import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import path from 'node:path';
import vm from 'node:vm';
import { transform } from 'esbuild';
import { applyEdits, type Mistake, type Mutant, type Variant } from '../testing/mistakes.ts';
import { type Kata, readReference } from '../workbook/katas.ts';
import { readVariant } from './judge-subjects.ts';
import { refuseRealTime } from './real-time-guard-plugin.ts';
import * as standIn from './stand-in.ts';

/** The code that replaces a kata's reference while its tests are judged. */
export type Subject =
  | { readonly kind: 'reference' }
  /** The learner's file as the workbook provides it, or with this text. */
  | { readonly kind: 'stub'; readonly text?: string }
  | { readonly kind: 'mistake'; readonly change: Mistake }
  | { readonly kind: 'variant'; readonly change: Variant; readonly mutant?: Mutant };

/**
 * Loads the tests of katas, with one subject after another in place of the reference. Each file below `katas/` and
 * `solutions/` is transformed and compiled once per process. Each subject gets new instances of the kata's own files and of every
 * file that imports one of them. The other modules, above all the harness, are shared.
 *
 * The tests import the stand-in instead of `vitest`: they are collected, not run.
 */
export class KataModules {
  readonly #root: string;
  readonly #load: (what: string) => Promise<unknown>;
  readonly #aliases: Aliases;
  /** The files as they are on the disk. */
  readonly #compiled = new Map<string, Promise<Compiled>>();
  /** Resolved specifiers, by file and specifier. */
  readonly #resolved = new Map<string, Map<string, string>>();
  readonly #outside = new Map<string, object>([['vitest', namespace(standIn)]]);
  readonly #shared: Instances = new Map();

  /**
   * @param root the workbook's folder
   * @param load imports modules outside of `katas/` and `solutions/`: an absolute path, or a package name
   */
  constructor(root: string, load: (what: string) => Promise<unknown>) {
    this.#root = root;
    this.#load = load;
    const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
      imports?: Aliases;
    };
    this.#aliases = manifest.imports ?? {};
  }

  /**
   * Links a module graph for the subject.
   *
   * @param entries the files to evaluate, absolute
   * @returns a function that evaluates one entry, with its imports that are not evaluated yet
   * @throws Error when an edit does not apply, a file does not parse, or an import is not found
   */
  async link(kata: Kata, subject: Subject, entries: readonly string[]): Promise<(entry: string) => void> {
    const edited = editedBy(kata, subject);
    const code = new Map<string, Compiled>();
    const imports: Imports = new Map();
    const found = [...entries];
    for (let file = found.pop(); file !== undefined; file = found.pop()) {
      if (imports.has(file)) continue;
      const targets = new Map<string, string>();
      imports.set(file, targets);
      const text = edited.get(file);
      const compiled = await (text === undefined ? this.#codeOf(file) : compile(file, text));
      code.set(file, compiled);
      for (const specifier of compiled.specifiers) {
        const target = standsFor(kata, subject, this.#resolve(specifier, file), file);
        targets.set(specifier, target);
        if (this.#isWorkbook(target)) found.push(target);
        else await this.#fetch(target);
      }
    }
    for (const [file, { map }] of code) originals.set(file, map);

    const own = ownOf(kata, imports);
    const instances: Instances = new Map();
    const evaluate = (file: string): object => {
      const outside = this.#outside.get(file);
      if (outside) return outside;
      const modules = own.has(file) ? instances : this.#shared;
      const known = modules.get(file);
      // A module in an import cycle is still incomplete here, as in any program.
      if (known) return known.exports;
      const module = { exports: {} };
      modules.set(file, module);
      try {
        (code.get(file) as Compiled).run(
          (specifier) => evaluate(imports.get(file)?.get(specifier) ?? ''),
          module,
        );
      } catch (error) {
        modules.delete(file);
        throw error;
      }
      return module.exports;
    };
    return evaluate;
  }

  #codeOf(file: string): Promise<Compiled> {
    const known = this.#compiled.get(file) ?? compileOnce(file);
    this.#compiled.set(file, known);
    return known;
  }

  async #fetch(target: string): Promise<void> {
    if (!this.#outside.has(target))
      this.#outside.set(target, namespace((await this.#load(target)) as object));
  }

  /** Resolves a specifier to an absolute path or a package name. */
  #resolve(specifier: string, from: string): string {
    const known = this.#resolved.get(from) ?? new Map<string, string>();
    this.#resolved.set(from, known);
    const target = known.get(specifier) ?? this.#resolveAnew(specifier, from);
    known.set(specifier, target);
    return target;
  }

  #resolveAnew(specifier: string, from: string): string {
    if (specifier.startsWith('.')) return path.join(path.dirname(from), specifier);
    if (!specifier.startsWith('#')) return specifier;
    for (const [alias, conditions] of Object.entries(this.#aliases)) {
      const [start = '', end] = alias.split('*');
      const matches =
        end === undefined ? specifier === alias : specifier.startsWith(start) && specifier.endsWith(end);
      if (!matches) continue;
      const target =
        typeof conditions === 'string' ? conditions : (conditions.solution ?? conditions.default);
      const wild = specifier.slice(start.length, specifier.length - (end ?? '').length);
      return path.join(this.#root, (target ?? '').replaceAll('*', wild));
    }
    throw new Error(`Failed to load ${from}: it imports ${specifier}, which package.json does not know.`);
  }

  #isWorkbook(file: string): boolean {
    return ['katas', 'solutions'].some((folder) => file.startsWith(path.join(this.#root, folder) + path.sep));
  }
}

/** `imports` of package.json. */
type Aliases = Readonly<Record<string, string | { readonly solution?: string; readonly default?: string }>>;

/** The imports of each file of a graph, by specifier. */
type Imports = Map<string, ReadonlyMap<string, string>>;

type Instances = Map<string, { exports: object }>;

/** A file that can be evaluated any number of times: its instances share the code that V8 has compiled. */
interface Compiled {
  readonly run: (require: (specifier: string) => object, module: { exports: object }) => void;
  /** Its imports, without type imports. */
  readonly specifiers: readonly string[];
  /** Its source map, as JSON. */
  readonly map: string;
}

/** The files of the disk that were compiled, with the text that was compiled. The components of many katas import the same files. */
const ofDisk = new Map<string, { readonly source: string; readonly compiled: Promise<Compiled> }>();

function compileOnce(file: string): Promise<Compiled> {
  const source = readFileSync(file, 'utf8');
  const known = ofDisk.get(file);
  if (known?.source === source) return known.compiled;
  const compiled = compile(file, source);
  ofDisk.set(file, { source, compiled });
  return compiled;
}

/** Compiles a file to CommonJS, which can be evaluated again and again; an ES module evaluates only once. */
async function compile(file: string, source: string): Promise<Compiled> {
  refuseRealTime(source, file);
  const { code, map } = await transform(source, {
    loader: 'ts',
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    supported: { 'dynamic-import': false },
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true, target: 'es2023' } },
    sourcefile: file,
    sourcesContent: false,
    sourcemap: 'external',
  });
  // The watchdog's thread reads the source map from the script.
  const url = `data:application/json;base64,${Buffer.from(map).toString('base64')}`;
  const script = new vm.Script(
    `(function (require, module) {"use strict";${code}\n})\n//# sourceMappingURL=${url}`,
    {
      filename: file,
    },
  );
  return {
    run: script.runInThisContext() as Compiled['run'],
    specifiers: [...code.matchAll(/\brequire\("([^"\n]+)"\)/g)].map(([, specifier = '']) => specifier),
    map,
  };
}

/** The source map of each file, as the last subject had it. */
const originals = new Map<string, string>();

/** Maps a stack to the source files that were compiled here. */
export function originalStack(stack: string): string {
  return stack.replace(
    /([^\s(]+\.ts):(\d+):(\d+)(?=\)?$)/gm,
    (frame, file: string, line: string, column: string) => {
      const map = originals.get(file);
      const entry = map && new SourceMap(JSON.parse(map)).findEntry(Number(line) - 1, Number(column) - 1);
      return entry && 'originalLine' in entry
        ? `${file}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
        : frame;
    },
  );
}

/** Returns the files that differ from those on disk, with their text. */
function editedBy(kata: Kata, subject: Subject): ReadonlyMap<string, string> {
  if (subject.kind === 'stub' && subject.text !== undefined)
    return new Map([[path.join(kata.folder, `${kata.noun}.ts`), subject.text]]);
  if (!('change' in subject)) return new Map();
  const { change } = subject;
  const edited = applyEdits(readReference(kata), change);
  if (subject.kind !== 'variant' || !subject.mutant) return edited;
  const { edits } = subject.mutant;
  return new Map([...edited, ...applyEdits(readVariant(kata, subject.change), { id: change.id, edits })]);
}

/** Returns the file that replaces `file` where `from` imports it. */
function standsFor({ folder, solution, noun }: Kata, subject: Subject, file: string, from: string): string {
  // Files of a solution, and a variant that is built on the reference, import each other unchanged.
  if (path.dirname(file) !== solution || from.startsWith(solution + path.sep)) return file;
  if (subject.kind === 'stub') {
    const stub = path.join(folder, path.basename(file));
    return existsSync(stub) ? stub : file;
  }
  const replaced = subject.kind === 'variant' && path.basename(file) === `${noun}.ts`;
  return replaced && subject.change.file !== undefined ? path.join(solution, subject.change.file) : file;
}

/** Returns the kata's own files, and the files that import one of them, directly or indirectly. */
function ownOf({ folder, solution }: Kata, imports: Imports): ReadonlySet<string> {
  const isKatas = (file: string): boolean =>
    [folder, solution].some((home) => file.startsWith(home + path.sep));
  const own = new Set([...imports.keys()].filter(isKatas));
  for (let before = -1; before !== own.size; ) {
    before = own.size;
    for (const [file, targets] of imports) {
      if ([...targets.values()].some((target) => own.has(target))) own.add(file);
    }
  }
  return own;
}

/** Returns an ES module's namespace as CommonJS code sees it. */
function namespace(module: object): object {
  return Object.defineProperties(
    {},
    {
      ...Object.getOwnPropertyDescriptors(module),
      __esModule: { value: true },
    },
  );
}
