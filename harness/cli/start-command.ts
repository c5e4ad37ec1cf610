import type { Components } from '../contracts/component.ts';
import type { Paint } from './colours.ts';
import { tellCurl } from './curl.ts';
import { Failure, type Terminal } from './failure.ts';
import { firstRun } from './first-run.ts';
import { asksForHelp } from './help.ts';
import { registriesFor } from './images.ts';
import { listLines, readKatas } from './katas.ts';
import { openKatasWithoutCode } from './katas-without-code.ts';
import { deploymentLife, tellLife } from './life.ts';
import { DEFAULT_MANIFEST, readManifestFile } from './manifest-file.ts';
import { manifestLife, manifestLives } from './manifest-lives.ts';
import { blamingMine, mine, ownStore, sayWhose } from './mine.ts';
import { networkLife, networkLives, tellNetworkLife } from './network-lives.ts';
import { nodeDeath, tellNodeDeath } from './node-lives.ts';
import { chosenPath, nextLines } from './paths.ts';
import { podLife, podLives, tellPodLife } from './pod-lives.ts';
import { refusalOf, tellHowItStands, tellWhatHappened, tellWhoWatches } from './story.ts';
import { wrap } from './wrap.ts';

/** The context of a start. */
interface StartOptions {
  /** The workbook's folder. */
  readonly root: string;
  /** The folder that relative manifest paths refer to. */
  readonly cwd: string;
  /** The longest line, in characters. */
  readonly width: number;
  readonly components: Partial<Components>;
  readonly terminal: Terminal;
  readonly paint: Paint;
}

const [aPodLife = '', ...podLifeNames] = Object.keys(podLives);
const [aNetworkLife = '', ...networkLifeNames] = Object.keys(networkLives);

const NODE_DEATH = 'node-death';

/** The usage of `npm start` and `npm run life`. */
const START_HELP: readonly string[] = [
  ['npm start', `applies ${DEFAULT_MANIFEST} to a cluster, and shows what follows`],
  ['npm start -- manifest.yaml', 'applies your own manifest'],
  ['npm run life', 'shows the life of a Deployment'],
  [`npm run life -- ${aPodLife}`, `shows the life of a pod; also ${podLifeNames.join(', ')}`],
  [`npm run life -- ${aNetworkLife}`, `follows a request; also ${networkLifeNames.join(', ')}`],
  [`npm run life -- ${NODE_DEATH}`, 'lets a node die, return, and be deleted'],
  ...Object.entries(manifestLives).map(([name, effect]) => [`npm run life -- ${name}`, effect]),
  ['  --mermaid, --svg FILE', 'npm run life -- apply: prints Mermaid for Markdown, or writes a picture'],
  ['  --one-pod', 'npm run life -- apply: draws one pod of several'],
  ['  --katas', 'npm run life -- apply: names the katas that build what acts in each step'],
  ['  --mine', 'runs your components'],
  ['  --any-image', 'npm start: a stand-in takes the place of images that the registries here do not have'],
].map(([typed = '', effect = '']) => `${typed.padEnd(28)}${effect}`);

/**
 * Applies a manifest to a cluster, shows the run, and says how to begin. With `--life`, shows the life of a Deployment,
 * a pod or a request.
 *
 * @param words the path of a manifest; or `--life`, with a name or without; and `--mine` for the learner's components
 * @throws Failure when the manifest cannot be read or applied; the run up to that point is shown
 */
export async function start(words: readonly string[], options: StartOptions): Promise<void> {
  const { root, cwd, width, terminal, paint } = options;
  if (asksForHelp(words)) return terminal.print(START_HELP.join('\n'));
  const standIns: string[] = [];
  const own = words.includes('--mine')
    ? await mine({ root, reference: options.components, onStandIn: (sentence) => standIns.push(sentence) })
    : undefined;
  const { components = options.components } = own ?? {};
  const kataNames = [...(own?.files.keys() ?? [])].flatMap((file) => file.split('/')[1] ?? []);
  const isKnown = (word: string): boolean => ['--mine', '--any-image'].includes(word);
  const [named, ...more] = words.filter((word) => !isKnown(word));
  const print = (...lines: readonly string[]): void => {
    for (const line of lines) terminal.print(line);
  };
  /** Called after the run, because only then the acting stand-ins are known. */
  const whose = (): readonly string[] =>
    own ? ['', ...[...sayWhose(own), ...standIns].flatMap((line) => wrap(line, width))] : [];
  const running = <T>(run: () => Promise<T>): Promise<T> => (own ? blamingMine(own, run) : run());
  const [, life = '', ...lifeWords] = words.filter((word) => word !== '--mine');
  if (words[0] === '--life' && Object.hasOwn(manifestLives, life)) {
    const lived = await running(() =>
      manifestLife({ name: life, words: lifeWords, root, cwd, components, own: kataNames }),
    );
    const lines = lived.render({ width, paint });
    print(...(lived.isData ? lines : [...whose(), '', ...lines]));
    if (lived.refusal) throw lived.refusal;
    return;
  }
  if (named === '--life' && more.length <= 1) {
    const lived = await running(() => liveOf(more[0], components));
    print(...whose(), '', ...lived({ width, paint }), '');
    return;
  }
  const option = words.find((word) => word.startsWith('-') && !isKnown(word));
  if (option !== undefined || more.length > 0) {
    const why = option === undefined ? 'it takes one manifest' : `the option ${option} does not exist`;
    throw new Failure(
      'start',
      why,
      'Type npm start, npm start <manifest.yaml>, or npm run life; npm start -- --help explains them.',
    );
  }
  const { name, objects } = await readManifestFile(named, { root, cwd });
  const aboutImages: string[] = [];
  const registry = registriesFor({
    anyImage: words.includes('--any-image'),
    tell: (paragraph) => aboutImages.push(paragraph),
  });
  const run = await running(() =>
    firstRun(objects, { components, registry, source: name, store: own && ownStore(own) }),
  );
  const style = { width, paint };
  print(...whose(), '', ...tellWhoWatches(run, style), '', paint('bold', `kubectl apply -f ${name}`), '');
  print(...tellWhatHappened(run, style), '');
  const refusal = refusalOf(run);
  if (refusal) throw refusal;
  const katas = readKatas(root);
  print(...tellHowItStands(run, style), '');
  if (aboutImages.length > 0) print(...aboutImages.flatMap((paragraph) => wrap(paragraph, width)), '');
  if (run.curled) print(...tellCurl(run.curled, style), '');
  if (katas.length > 0)
    print(
      paint('bold', 'Katas'),
      '',
      ...listLines(katas, paint),
      '',
      ...nextLines(chosenPath(root, katas), paint, openKatasWithoutCode(root)),
      '',
    );
}

/** Runs the life of a Deployment, or the one with this name. @throws Failure when no life has this name */
async function liveOf(
  name: string | undefined,
  components: Partial<Components>,
): Promise<(style: { readonly width: number; readonly paint: Paint }) => readonly string[]> {
  if (name === undefined) {
    const life = await deploymentLife(components);
    return (style) => tellLife(life, style);
  }
  if (name === NODE_DEATH) {
    const life = await nodeDeath(components);
    return (style) => tellNodeDeath(life, style);
  }
  const asked = networkLives[name];
  if (asked) {
    const lived = await networkLife(asked, components);
    return (style) => tellNetworkLife(lived, style);
  }
  const life = podLives[name];
  if (!life) {
    const names = [...Object.keys({ ...podLives, ...networkLives, ...manifestLives }), NODE_DEATH].join(', ');
    throw new Failure(
      `show the life ${name}`,
      'no life has that name',
      `Type npm run life, or one of: ${names}.`,
    );
  }
  const lived = await podLife(life, components);
  return (style) => tellPodLife(lived, style);
}
