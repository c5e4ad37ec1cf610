import { describe, expect, test } from 'vitest';
import type { Components } from '../contracts/index.ts';
import { type FirstRun, firstRun } from './first-run.ts';
import { readManifest } from './manifest.ts';
import { refusalOf, tellRequests, tellWhatIsMissing } from './story.ts';

const { components } = (await import('#components')) as { readonly components: Components };

const run = (...documents: readonly string[]): Promise<FirstRun> =>
  firstRun(readManifest(new TextEncoder().encode(documents.join('\n---\n')), 'web.yaml'), components);

const template = '{metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: nginx}]}}';
const deployment = (more = ''): string =>
  `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web${more}}, spec: {replicas: 3, selector: {matchLabels: {app: web}}, template: ${template}}}`;
const configMap = (data: string, more = ''): string =>
  `{apiVersion: v1, kind: ConfigMap, metadata: {name: a${more}}, data: {x: ${data}}}`;

describe('The story of an apply', () => {
  test('is told request by request, with what the server made of it', async () => {
    // How many fields there are to fill in is the kind's to say.
    const told = tellRequests(await run(deployment())).map((line) =>
      line.replace(/\d+ (?=fields|more)/, 'N '),
    );
    expect(told).toEqual([
      '  t=1ms  informer  LIST deployments                200 OK · at revision 4',
      '  t=3ms  informer  WATCH deployments               200 OK · from revision 4',
      't=101ms  kubectl   GET deployments/default/web     404 NotFound',
      't=103ms  kubectl   POST deployments/default/web    201 Created · revision 5',
      '          kubectl added the annotation kubectl.kubernetes.io/last-applied-configuration: what you',
      '          wrote, for the next apply to compare with.',
      '          The server filled in N fields you never wrote: spec.revisionHistoryLimit=10,',
      '          spec.progressDeadlineSeconds=600, spec.strategy.type=RollingUpdate,',
      '          spec.template.spec.dnsPolicy=ClusterFirst, spec.template.spec.restartPolicy=Always, … and',
      '          N more.',
      '          It wrote into the metadata: uid, creationTimestamp, generation, resourceVersion.',
      't=104ms  informer  ADDED deployments/default/web   revision 5',
      't=104ms  informer  onAdd(deployments/default/web)',
    ]);
  });

  test('is the same every time', async () => {
    expect((await run(deployment())).entries).toEqual((await run(deployment())).entries);
  });

  test('tells of what is there already: a patch of what differs, or nothing', async () => {
    const told = tellRequests(await run(configMap('"1"'), configMap('"2"'), configMap('"2"')));
    expect(told.filter((line) => !/informer|annotation|wrote/.test(line))).toEqual([
      't=101ms  kubectl   GET configmaps/default/a        404 NotFound',
      't=103ms  kubectl   POST configmaps/default/a       201 Created · revision 5',
      't=105ms  kubectl   GET configmaps/default/a        200 OK · revision 5',
      't=107ms  kubectl   PATCH configmaps/default/a      200 OK · revision 6',
      '          It was there already: kubectl sent only what differs.',
      't=109ms  kubectl   GET configmaps/default/a        200 OK · revision 6',
      '          It is as the manifest says already: there is nothing to send.',
    ]);
    expect(told).toContain('t=108ms  informer  onUpdate(configmaps/default/a)');
  });

  test('tells what the server put in other words', async () => {
    const pod = `{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: a, image: a, resources: {limits: {cpu: 0.5}}}]}}`;
    expect(tellRequests(await run(pod), { width: 200 })).toContain(
      '          It put 1 field in other words: spec.containers[0].resources.limits.cpu=500m (you wrote 0.5).',
    );
  });

  test('paints the request at which it ended, and no other, red', async () => {
    const refused = await run(configMap('"1"'), configMap('"1"', ', namespace: shop'));
    const painted = tellRequests(refused, { paint: (style, text) => `<${style}>${text}` });
    expect(painted.filter((line) => line.startsWith('<red>'))).toEqual([
      '<red>t=107ms  kubectl   POST configmaps/shop/a       404 NotFound',
    ]);
    expect(painted.at(-1)).toMatch('<red>');
  });
});

describe('What is missing', () => {
  test('are pods, where nothing makes them', async () => {
    const told = tellWhatIsMissing(await run(deployment())).join(' ');
    expect(told).toMatch(/^No pod appears\. .* no controller is in it yet .* later katas/);
  });

  test('is whatever would run the pods that are there', async () => {
    const pod = (name: string): string =>
      `{apiVersion: v1, kind: Pod, metadata: {name: ${name}}, spec: {containers: [{name: a, image: a}]}}`;
    expect(tellWhatIsMissing(await run(pod('a'))).join(' ')).toMatch(
      /^The pod stays Pending\. .* no scheduler/,
    );
    expect(tellWhatIsMissing(await run(pod('a'), pod('b'))).join(' ')).toMatch(/^The pods stay Pending\./);
  });
});

describe('A refusal', () => {
  const refusal = async (...documents: readonly string[]): Promise<string> => {
    const { refused } = await run(...documents);
    return refused ? refusalOf(refused).message : 'It was not refused.';
  };

  test('is in the words of the server', async () => {
    expect(await refusal(deployment().replace('replicas: 3', 'replicas: -1'))).toBe(
      'Failed to apply Deployment web: Deployment.apps "web" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0. Correct the manifest and apply it again.',
    );
    expect(await refusal(deployment().replace('replicas: 3', 'replicaz: 3'))).toMatch(
      'strict decoding error: unknown field "spec.replicaz". Correct the manifest',
    );
    expect(await refusal(configMap('"1"').replace('name: a', 'name: a, annotations: x'))).toMatch(
      'cannot unmarshal string into Go struct field ObjectMeta.metadata.annotations',
    );
  });

  test('says what to do about a namespace that is not there', async () => {
    expect(await refusal(configMap('"1"', ', namespace: shop'))).toBe(
      'Failed to apply ConfigMap a: namespaces "shop" not found. Put a Namespace shop before it in the file, with --- between them, or leave metadata.namespace out.',
    );
  });

  test('does not come where the namespace stands before it', async () => {
    const shop = '{apiVersion: v1, kind: Namespace, metadata: {name: shop}}';
    expect(await refusal(shop, configMap('"1"', ', namespace: shop'))).toBe('It was not refused.');
  });

  test('ends the run: what comes after it is not sent', async () => {
    const { applied, entries } = await run(configMap('1'), configMap('"1"'));
    expect(applied).toEqual([]);
    expect(entries.filter(({ actor }) => actor === 'kubectl').map(({ verb }) => verb)).toEqual([
      'get',
      'create',
    ]);
  });
});
