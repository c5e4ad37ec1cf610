import { describe, expect, test } from 'vitest';
import type { Components } from '../contracts/index.ts';
import { tellCurl } from './curl.ts';
import { type FirstRun, firstRun } from './first-run.ts';
import { readManifest } from './manifest.ts';
import { refusalOf, tellHowItStands, tellWhatHappened, tellWhoWatches } from './story.ts';

const { components } = (await import('#components')) as { readonly components: Components };

const runWith =
  (parts: Partial<Components>) =>
  (...documents: readonly string[]): Promise<FirstRun> =>
    firstRun(readManifest(new TextEncoder().encode(documents.join('\n---\n')), 'web.yaml'), {
      components: parts,
    });

// Names need CoreDNS, which most of these runs omit.
const { dns, ...others } = components;
const runAgain = runWith(others);
const runs = new Map<string, Promise<FirstRun>>();
/** Runs the documents once: the same documents give the same run. */
const run = (...documents: readonly string[]): Promise<FirstRun> => {
  const key = documents.join('\n');
  const known = runs.get(key) ?? runAgain(...documents);
  runs.set(key, known);
  return known;
};
const runWhole = runWith(components);

const template = '{metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: nginx}]}}';
const deployment = (more = ''): string =>
  `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web${more}}, spec: {replicas: 3, selector: {matchLabels: {app: web}}, template: ${template}}}`;
const pod = (name: string): string =>
  `{apiVersion: v1, kind: Pod, metadata: {name: ${name}}, spec: {containers: [{name: a, image: nginx}]}}`;
const configMap = (data: string, more = ''): string =>
  `{apiVersion: v1, kind: ConfigMap, metadata: {name: a${more}}, data: {x: ${data}}}`;

const event =
  '{apiVersion: v1, kind: Event, metadata: {name: a, namespace: default}, involvedObject: {kind: Pod, name: a, namespace: default}}';

const service = (name: string, more = ''): string =>
  `{apiVersion: v1, kind: Service, metadata: {name: ${name}}, spec: {selector: {app: web}, ports: [{port: 80}]${more}}}`;

const broken = (document: string): string => document.replace('image: nginx', 'image: "nginx:broken"');

/** Pods that wait for different reasons, a ready pod, and a Service. The story follows them for 15 virtual minutes. */
const waiting = [
  broken(pod('a')),
  broken(pod('b')),
  pod('c'),
  pod('gated').replace('spec: {', 'spec: {schedulingGates: [{name: x}], '),
  pod('huge').replace('image: nginx', 'image: nginx, resources: {requests: {cpu: 100}}'),
  service('web'),
];

describe('The story of an apply', () => {
  test('begins with the components that already watch', async () => {
    const told = tellWhoWatches(await runWhole(configMap('"1"'))).join(' ');
    expect(told).toMatch(/^Each of these components watches the apiserver, and none knows the others: /);
    for (const part of [
      'kubelet (pods, services)',
      'kube-proxy (endpointslices, nodes, services)',
      'coredns (endpointslices, namespaces, services)',
      'default-scheduler (namespaces, nodes, pods)',
      'replicaset-controller (pods, replicasets)',
      'deployment-controller (deployments, pods, replicasets)',
      'garbage-collector-controller (all ',
    ]) {
      expect(told).toContain(part);
    }
  });

  test('describes the fields that the server filled in', async () => {
    const told = tellWhatHappened(await run(deployment())).map((line) =>
      line.replace(/\d+ (?=fields|more)/, 'N '),
    );
    expect(told.slice(0, 11)).toEqual([
      expect.stringMatching(/^ *t=1ms {2}kubectl +GET deployments\/default\/web +404 NotFound$/),
      expect.stringMatching(
        /^ *t=3ms {2}kubectl +POST deployments\/default\/web +201 Created · revision \d+$/,
      ),
      '          kubectl added the annotation kubectl.kubernetes.io/last-applied-configuration to store',
      '          your manifest. The next apply compares with it.',
      // The number of defaulted fields depends on the kind.
      '          The server filled in N fields you never wrote: spec.revisionHistoryLimit=10,',
      '          spec.progressDeadlineSeconds=600, spec.strategy.type=RollingUpdate,',
      '          spec.template.spec.dnsPolicy=ClusterFirst, spec.template.spec.restartPolicy=Always, … and',
      '          N more.',
      '          It set in the metadata: uid, creationTimestamp, generation, resourceVersion.',
      '          Components that watch deployments and are notified: deployment-controller,',
      '          garbage-collector-controller.',
    ]);
  });

  test('goes down to the pods and back up', async () => {
    const told = tellWhatHappened(await run(deployment())).map((line) =>
      line
        .replace(/^ *t=\d+ms +/, '')
        .replace(/web-\w{8,}/g, 'web-…')
        .replace(/to node-.*/, 'to …')
        .replace(/ {2,}/g, '  '),
    );
    // The wording for counts is not checked here.
    const order = [
      'deployment-controller  creates ReplicaSet web-…, revision 1, with 3 replicas',
      'replicaset-controller  creates 3 Pods of web-…',
      'default-scheduler  binds 3 Pods of web-… to …',
      'kubelet  accepts 3 Pods of web-…',
      'kubelet  pulls nginx for 3 Pods of web-…',
      'kubelet  has pulled nginx for 3 Pods of web-…',
      'kubelet  creates container web in 3 Pods of web-…',
      'kubelet  starts container web in 3 Pods of web-…',
      'kubelet  reports 3 Pods of web-… as ready',
      'replicaset-controller  updates the status of ReplicaSet web-…: 3 of 3 pods, 3 ready',
      'deployment-controller  updates the status of Deployment web: 3 of 3 available',
      'deployment-controller  sets condition Progressing=True on Deployment web: NewReplicaSetAvailable',
    ];
    expect(told.filter((line) => order.includes(line))).toEqual(order);
    // In one line or in two: the network plugin decides how long the network takes.
    expect(told).toContainEqual(expect.stringMatching(/^kubelet\S* {2}creates a sandbox for /));
  });

  test('is reproducible', async () => {
    expect(tellWhatHappened(await runAgain(deployment()))).toEqual(tellWhatHappened(await run(deployment())));
  });

  test('is short even with many pods', async () => {
    const many = await run(deployment().replace('replicas: 3', 'replicas: 30'));
    expect(many.pods).toHaveLength(30);
    expect(many.acts.length).toBeLessThanOrEqual(32);
    expect(many.acts.map(({ what }) => what)).toContainEqual(
      expect.stringMatching(/^creates \d+ Pods of web-/),
    );
  });

  test('reports a stuck roll-out once the controller reports it', async () => {
    const { kubelet, ...scripted } = others;
    const stuck = await runWith(scripted)(broken(deployment()));
    const [last] = stuck.acts.slice(-1);
    expect(last?.what).toBe('sets condition Progressing=False on Deployment web: ProgressDeadlineExceeded');
    expect(last?.atMs).toBeGreaterThan(600_000);
  });

  test('covers a single ReplicaSet and a single Pod', async () => {
    const replicaSet = deployment().replace('kind: Deployment', 'kind: ReplicaSet');
    const told = async (document: string) =>
      (await run(document)).acts.map(({ who, what }) => `${who} ${what}`);
    expect(await told(replicaSet)).toContainEqual('replicaset-controller creates 3 Pods of web');
    expect(await told(pod('a'))).toEqual([
      expect.stringMatching(/^default-scheduler binds Pod a to node-\d$/),
      ...[
        'accepts Pod a',
        'creates a sandbox for Pod a',
        'pulls nginx for Pod a',
        'has pulled nginx for Pod a',
        'creates container a in Pod a',
        'starts container a in Pod a',
        'reports Pod a as ready',
      ].map((what) => expect.stringMatching(new RegExp(`^kubelet-node-\\d ${what}$`))),
    ]);
  });

  test('names the components that watch an object, or says that none does', async () => {
    const told = tellWhatHappened(await run(pod('a'), event), { width: 300 }).map((line) => line.trim());
    expect(told).toContain(
      'Components that watch pods and are notified: default-scheduler, deployment-controller, endpoints-controller, endpointslice-controller, garbage-collector-controller, node-lifecycle-controller, pod-garbage-collector-controller, replicaset-controller, taint-eviction-controller.',
    );
    expect(told).toContain('No component here watches events: the object is only stored.');
  });

  test('describes an existing object: kubectl patches the difference, or sends nothing', async () => {
    const ran = await run(configMap('"1"'), configMap('"2"'), configMap('"2"'));
    const told = tellWhatHappened(ran);
    const first = Number(ran.applied[0]?.result.stored.metadata.resourceVersion);
    const revisions = told.map((line) => line.replace(/revision (\d+)/, (_, n) => `revision ${n - first}`));
    expect(revisions.filter((line) => !/annotation|your manifest|in the metadata/.test(line))).toEqual([
      't=1ms  kubectl  GET configmaps/default/a    404 NotFound',
      't=3ms  kubectl  POST configmaps/default/a   201 Created · revision 0',
      '          Components that watch configmaps and are notified: garbage-collector-controller,',
      '          root-ca-certificate-publisher-controller.',
      't=5ms  kubectl  GET configmaps/default/a    200 OK · revision 0',
      't=7ms  kubectl  PATCH configmaps/default/a  200 OK · revision 1',
      '          The object already existed: kubectl sent only the differences.',
      't=9ms  kubectl  GET configmaps/default/a    200 OK · revision 1',
      '          The object already matches the manifest: kubectl sends nothing.',
    ]);
  });

  test('explains each kind once', async () => {
    const told = tellWhatHappened(
      await run(configMap('"1"'), configMap('"1"').replace('name: a', 'name: b'), pod('a')),
    );
    const count = (text: string): number => told.filter((line) => line.includes(text)).length;
    expect([count('Components that watch configmaps'), count('Components that watch pods')]).toEqual([1, 1]);
    expect(count('in the metadata')).toBe(2);
  });

  test('lists the values that the server wrote in another form', async () => {
    const precise = pod('a').replace('image: nginx', 'image: nginx, resources: {limits: {cpu: 0.5}}');
    expect(tellWhatHappened(await run(precise), { width: 200 })).toContain(
      '          The server rewrote 1 field: spec.containers[0].resources.limits.cpu=500m (you wrote 0.5).',
    );
  });

  test('paints only the rejected request red', async () => {
    const refused = await run(configMap('"1"'), configMap('"1"', ', namespace: shop'));
    const painted = tellWhatHappened(refused, { paint: (style, text) => `<${style}>${text}` });
    expect(painted.filter((line) => line.startsWith('<red>'))).toEqual([
      // The apiserver waits 50 ms for its cache to observe a new namespace.
      '<red>t=57ms  kubectl  POST configmaps/shop/a     404 NotFound',
    ]);
    expect(painted.at(-1)).toMatch('<red>');
  });
});

describe('The summary', () => {
  const stands = async (...documents: readonly string[]): Promise<string> =>
    tellHowItStands(await run(...documents)).join(' ');

  test('describes the pods', async () => {
    expect(await stands(deployment())).toMatch(
      /^All 3 pods are ready\. You build the components shown above/,
    );
    expect(await stands(pod('a'))).toMatch(/^The pod is ready\. You build the components shown above/);
  });

  test('says that components marked * only follow a script', async () => {
    const { kubelet, ...others } = components;
    const manifest = readManifest(new TextEncoder().encode(pod('a')), 'web.yaml');
    const told = tellHowItStands(await firstRun(manifest, { components: others })).join(' ');
    expect(told).toMatch(/^The pod is ready\. But components marked \* only follow a script/);
  });

  test('says what pods that are not ready wait for', async () => {
    const all = await run(...waiting);
    /** The same run, as if it had only these pods. */
    const standsOf = (...names: readonly string[]): string => {
      const pods = all.pods.filter(({ metadata }) => names.includes(metadata.name));
      return tellHowItStands({ ...all, pods }).join(' ');
    };
    const waits = 'a waits: ImagePullBackOff, Back-off pulling image "nginx:broken"';
    expect(standsOf('a')).toContain(`The pod is not ready: ${waits}`);
    expect(standsOf('a', 'c')).toContain(`1 of 2 pods is not ready: ${waits}`);
    expect(standsOf('a', 'b')).toContain('None of 2 pods is ready: a waits');
    expect(standsOf('gated')).toContain('The pod is not ready: gated has no node: Scheduling is blocked');
    expect(standsOf('huge')).toMatch(/^The pod is not ready: huge has no node: 0\/3 nodes are available: 3 /);
  });

  test('says that no pod is created, and names the missing component', async () => {
    expect(await stands(configMap('"1"'))).toMatch(/^No pod is created\. Apply a Deployment/);
    const policy =
      '{apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: {name: web}, spec: {podSelector: {}}}';
    expect(await stands(policy)).toContain('No component here enforces a NetworkPolicy.');
  });
});

describe('A request to the Service', () => {
  test('is traced hop by hop, from the name to a pod and back', async () => {
    const { curled } = await runWhole(deployment(), service('web'));
    expect(curled?.run.exitCode).toBe(0);
    const told = curled ? tellCurl(curled) : [];
    expect(told[0]).toBe(
      '$ kubectl run curl -it --rm --image=curlimages/curl --restart=Never --command -- curl -sS http://web',
    );
    const order = [
      /Welcome to nginx!/,
      /^curl looks up the name at 10\.96\.0\.10:53, the Service kube-dns\. Then it opens a connection to$/,
      /^10\.244\.\d\.\d+:\d+ → 10\.96\.\d+\.\d+:80 tcp$/,
      /^ {2}curl on node-\d +sends$/,
      /PREROUTING DNAT by KUBE-SERVICES > KUBE-SVC-\w+ > KUBE-SEP-\w+ \(default\/web\)$/,
      /^ {2}web-\S+ on node-\d +receives$/,
      /^✓ delivered$/,
      /^and back$/,
      /back from DNAT$/,
      /^ {2}curl on node-\d +receives$/,
    ];
    let from = 0;
    const places = order.map((line) => {
      const place = told.findIndex((each, i) => i >= from && line.test(each));
      from = place;
      return place;
    });
    expect(places).not.toContain(-1);
  });

  test.each([
    ['is next to a pod that is not ready', waiting],
    ['has no address', [deployment(), service('web', ', clusterIP: None')]],
    ['does not exist', [deployment()]],
  ])('is not sent if the Service %s', async (_, documents) => {
    expect((await run(...documents)).curled).toBeUndefined();
  });
});

describe('A rejection', () => {
  const refusal = async (...documents: readonly string[]): Promise<string> => {
    return refusalOf(await run(...documents))?.message ?? 'It was not refused.';
  };

  test("has the server's words", async () => {
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

  test('says what to do about a missing namespace', async () => {
    expect(await refusal(configMap('"1"', ', namespace: shop'))).toBe(
      'Failed to apply ConfigMap a: namespaces "shop" not found. Put a Namespace shop before it in the file, with --- between them, or leave metadata.namespace out.',
    );
  });

  test('does not happen if the namespace precedes the object', async () => {
    const shop = '{apiVersion: v1, kind: Namespace, metadata: {name: shop}}';
    expect(await refusal(shop, configMap('"1"', ', namespace: shop'))).toBe('It was not refused.');
  });

  test('does not stop the objects after it', async () => {
    const { applied, refused, requests } = await run(configMap('1'), configMap('"1"'), configMap('2'));
    expect(applied.map(({ result }) => result.outcome)).toEqual(['created']);
    expect(requests.map(({ verb }) => verb)).toEqual(['get', 'create', 'get', 'create', 'get', 'patch']);
    expect(refusalOf({ refused })?.message).toMatch(/of type string \(and 1 more\)\. Correct the manifest/);
  });
});
