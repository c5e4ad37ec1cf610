import { type Import, importsOf, isTest, resolveRelative, type Source } from './sources.ts';

/** The folders of the harness with their layers, lowest first. A folder imports only lower layers. */
const layers: { readonly [folder: string]: number } = {
  platform: 0,
  api: 0,
  sim: 0,
  contracts: 1,
  apiserver: 1,
  client: 1,
  faults: 1,
  node: 1,
  kubelet: 1,
  mount: 2,
  etcd: 2,
  cluster: 2,
  drawing: 3,
  given: 3,
  serving: 3,
  workbook: 3,
  testing: 4,
  laws: 5,
  vitest: 5,
  cli: 5,
  kubectl: 5,
  clients: 5,
  parity: 5,
  page: 6,
};

/** From this layer on, code belongs to a test run or a command: it may load components, and use entry points. */
const TOP = 4;

/** Siblings that may be imported, because they contain the ports. */
const meetingPlaces = ['contracts'];

/** Returns the imports of a harness file that its layer forbids, as sentences. */
export function layerViolations(source: Source): readonly string[] {
  return importsOf(source).flatMap((one) => {
    const why = objection(source, one);
    return why === undefined ? [] : [`${source.file} imports ${one.specifier}: ${why}`];
  });
}

function objection(source: Source, { specifier, dynamic }: Import): string | undefined {
  const folder = folderOf(source.file);
  const top = (layers[folder] ?? 0) >= TOP;
  const target = specifier.startsWith('.') ? resolveRelative(source.file, specifier) : specifier;
  if (/^(katas|solutions)\/|^#kata\//.test(target)) return 'the harness does not know the katas';
  if (target === '#components') {
    return (top || isTest(source)) && dynamic
      ? undefined
      : 'components are loaded when a run begins, by the CLI or a test';
  }
  if (
    target === '#harness' ||
    target === '#harness/node' ||
    target === '#harness/testing' ||
    target.startsWith('#given/') ||
    target === 'harness/index.ts'
  ) {
    return top || isTest(source) ? undefined : 'the door is for those outside';
  }
  if (/^harness\/platform\/(browser|node)\//.test(target) && folder !== 'platform' && !isTest(source)) {
    return 'the platform decides: import #platform/…';
  }
  if (!target.startsWith('harness/') || folder === '' || isTest(source)) return undefined;
  const aim = folderOf(target);
  if (aim === folder) return undefined;
  // Time and cryptography are independent of Kubernetes.
  if (folder === 'mount')
    return aim === 'sim' || aim === 'platform' ? undefined : 'a mount must not depend on Kubernetes';
  const [own, other] = [layers[folder] ?? 0, layers[aim]];
  if (other === undefined) return 'its folder has no layer';
  if (other > own) return 'imports point down the layers';
  if (other < own) return undefined;
  return own === 1 && meetingPlaces.includes(aim) && folder !== aim
    ? undefined
    : 'siblings meet through contracts';
}

/** Returns the first folder below `harness/`; empty for the entry point itself. */
export function folderOf(file: string): string {
  return /^harness\/([^/]+)\//.exec(file)?.[1] ?? '';
}

/** The folders of the harness that have a layer. */
export const layered: readonly string[] = Object.keys(layers);

/** Returns the forbidden imports of a kata's or solution's file, as sentences. */
export function entryPointViolations(source: Source): readonly string[] {
  const allowed = [
    ...(isTest(source) || isFixture(source) ? forTests : forKatas),
    ...(isList(source) ? forLists : []),
    ...(isJudged(source) ? forJudged : []),
  ];
  return importsOf(source).flatMap((one) => {
    const { specifier, typeOnly } = one;
    if (allowed.some((pattern) => pattern.test(specifier)) || specifier === ownEntryPoint(source)) return [];
    if (typeOnly && specifier === '#harness/testing' && isJudged(source)) return [];
    return [`${source.file} imports ${specifier}`];
  });
}

/** Returns the entry point of the parts that only this kata is given: `#given/41-kubelet`. */
function ownEntryPoint({ file }: Source): string {
  return `#given/${file.split('/')[1]}`;
}

// A solution may span several files in its folder.
const forKatas = [/^#harness$/, /^#harness\/node$/, /^\.\/[^/]+\.(ts|json)$/, /^\.\.\/[^/]+\.ts$/];
const forTests = [
  ...forKatas,
  /^#harness\/testing$/,
  /^#laws\//,
  /^#kata\//,
  /^#(own-)?components$/,
  /^(vitest|fast-check)$/,
  /^\.\/(levels|end-to-end)\/[^/]+\.test\.ts$/,
];
/** Mistakes and variants may have a file for each level. */
const forJudged = [/^\.\/(mistakes|variants)\/[^/]+\.ts$/];
/** The list of components imports a file of each solution. */
const forLists = [/^\.\/\d\d-[^/]+\/[^/]+\.ts$/];

function isList({ file }: Source): boolean {
  return file === 'solutions/components.ts';
}

function isJudged({ file }: Source): boolean {
  return /^solutions\/[^/]+\/(mistakes|variants)(\/[^/]+)?\.ts$/.test(file);
}

/** Returns whether a file is shared by several tests. */
function isFixture({ file }: Source): boolean {
  return file.endsWith('.fixture.ts');
}

/**
 * Returns the circles of imports, each as the files along it.
 *
 * @param options `types`: also circles that exist for the compiler alone. @defaultValue only those that exist at run time
 */
export function cycles(
  sources: readonly Source[],
  { types = false }: { readonly types?: boolean } = {},
): readonly string[] {
  const edges = new Map(
    sources.map((source) => [
      source.file,
      importsOf(source)
        .filter(
          ({ specifier, typeOnly, dynamic }) => specifier.startsWith('.') && (types || !typeOnly) && !dynamic,
        )
        .map(({ specifier }) => resolveRelative(source.file, specifier)),
    ]),
  );
  const finished = new Set<string>();
  const found: string[] = [];
  const visit = (file: string, trail: readonly string[]): void => {
    const start = trail.indexOf(file);
    if (start >= 0) found.push([...trail.slice(start), file].join(' → '));
    if (start >= 0 || finished.has(file)) return;
    for (const next of edges.get(file) ?? []) visit(next, [...trail, file]);
    finished.add(file);
  };
  for (const file of edges.keys()) visit(file, []);
  return found;
}
