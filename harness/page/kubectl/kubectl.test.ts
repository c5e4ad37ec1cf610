import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pods } from '../../api/resource.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import { createWholeCluster } from '../../cluster/whole-cluster.ts';
import type { Components } from '../../contracts/component.ts';
import { type Kubectl, newKubectl } from './kubectl.ts';
import { files } from './rows.fixture.ts';

const { components } = (await import('#components')) as { readonly components: Components };

/** A cluster with a prompt. */
class Prompt {
  readonly cluster: Cluster;
  readonly kubectl: Kubectl;

  private constructor(cluster: Cluster) {
    this.cluster = cluster;
    cluster.connect('kubectl');
    this.kubectl = newKubectl({ cluster, userOf: (impersonates) => cluster.userOf('kubectl', impersonates) });
  }

  static async open(own: Partial<Components> = {}): Promise<Prompt> {
    const parts = { ...components, ...own };
    const { cluster } = await createWholeCluster({
      components: parts,
      nodes: 2,
      names: false,
      secured: true,
    });
    await cluster.runFor(20_000);
    return new Prompt(cluster);
  }

  /** Types a line, and lets time pass until the command has ended, or until Ctrl-C. */
  async type(
    line: string,
    { interruptAfterMs, typed = [] }: { interruptAfterMs?: number; typed?: readonly string[] } = {},
  ): Promise<{ readonly code: number | undefined; readonly text: string; readonly tookMs: number }> {
    const controller = new AbortController();
    let text = '';
    let code: number | undefined;
    const write = (more: string): void => {
      text += more;
    };
    const input = (async function* () {
      yield* typed;
    })();
    const { signal } = controller;
    const running = this.kubectl.run(line, {
      files: { ...files, '-': EDITOR },
      input,
      signal,
      out: write,
      err: write,
    });
    running.then((result) => {
      code = result;
    });
    const beganMs = this.cluster.sim.elapsedMs;
    await this.cluster.runUntil(() => code !== undefined, interruptAfterMs ?? 120_000);
    if (interruptAfterMs !== undefined) {
      controller.abort();
      code = await running;
    }
    return { code, text, tookMs: this.cluster.sim.elapsedMs - beganMs };
  }
}

const EDITOR = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: note }\ndata: { text: hello }\n';

describe('A kubectl in the page', () => {
  let prompt: Prompt;
  beforeAll(async () => {
    prompt = await Prompt.open();
    await prompt.type('create deployment web --image=nginx:1.27 --replicas=2');
    await prompt.type('rollout status deploy/web');
    await prompt.type('expose deploy web --port=80');
  });
  afterAll(() => prompt.cluster[Symbol.asyncDispose]());

  test('takes a line with and without the word kubectl', async () => {
    const { text } = await prompt.type('kubectl get nodes');
    expect((await prompt.type('get nodes')).text).toBe(text);
    expect((await prompt.type('k get nodes')).text).toBe(text);
    expect(text).toMatch(/^NAME +STATUS/);
  });

  test('reads without letting time pass', async () => {
    for (const line of [
      'get all',
      'describe pods',
      'logs deploy/web',
      'events',
      'rollout history deploy/web',
    ]) {
      expect(await prompt.type(line), line).toMatchObject({ code: 0, tookMs: 0 });
    }
  });

  test('writes over its connection, which takes time and appears in the trace', async () => {
    const { length } = prompt.cluster.trace.entries;
    const { code, tookMs } = await prompt.type('label deploy web tier=front');
    const sent = prompt.cluster.trace.entries.slice(length).filter(({ actor }) => actor === 'kubectl');
    expect({ code, verbs: sent.map(({ verb }) => verb) }).toEqual({ code: 0, verbs: ['get', 'patch'] });
    expect(tookMs).toBeGreaterThan(0);
  });

  test.each([
    ['create job once', 'error: either --image or --from must be specified\n'],
    ['create job once --from=deploy/web', 'error: from must be an existing cronjob\n'],
    [
      'create cronjob tick --image=busybox:1.36 --schedule="0 0 1 1 *" -- date',
      'cronjob.batch/tick created\n',
    ],
    ['get cj tick -o jsonpath={..containers[0].command}', '["date"]'],
    ['create job tock --from=cj/tick --dry-run=server -o jsonpath={..ownerReferences[0].name}', 'tick'],
  ])('answers %s', async (line, text) => expect((await prompt.type(line)).text).toBe(text));

  test('applies the text of the editor', async () => {
    expect(await prompt.type('apply -f -')).toMatchObject({ code: 0, text: 'configmap/note created\n' });
    expect(await prompt.type('apply -f -')).toMatchObject({ code: 0, text: 'configmap/note unchanged\n' });
    expect((await prompt.type('get cm note -o jsonpath={.data.text}')).text).toBe('hello');
    expect((await prompt.type('delete -f -')).text).toBe('configmap "note" deleted from default namespace\n');
  });

  test('compares the text of the editor with the cluster', async () => {
    expect(await prompt.type('diff -f -')).toMatchObject({ code: 1 });
    await prompt.type('apply -f -');
    expect(await prompt.type('diff -f -')).toMatchObject({ code: 0, text: '' });
    await prompt.type('label cm note tier=front');
    expect(await prompt.type('diff -f -')).toMatchObject({ code: 0, text: '' });
    await prompt.type(`patch cm note -p '{"data":{"text":"bye"}}'`);
    const { code, text } = await prompt.type('diff -f -');
    expect(code).toBe(1);
    expect(text).toContain('diff -u -N LIVE/v1.ConfigMap.default.note MERGED/v1.ConfigMap.default.note');
    expect(text).toMatch(/^- {2}text: bye\n\+ {2}text: hello$/m);
    await prompt.type('delete -f -');
  });

  test('explains an apply of the learner that throws', async () => {
    const apply: Components['apply'] = async () => {
      throw new TypeError('x is not a function');
    };
    const own = await Prompt.open({ apply });
    expect(await own.type('apply -f -')).toMatchObject({
      code: 1,
      text: 'error: The apply of kata 11 rejects: TypeError: x is not a function. It must return each error in the errors of its report.\n',
    });
  });

  test('suggests a file with a similar name', async () => {
    expect((await prompt.type('apply -f shop.yml')).text).toBe(
      'error: the path "shop.yml" does not exist. Did you mean "shop.yaml"?\n',
    );
  });

  test('passes lines to grep, head and wc', async () => {
    expect((await prompt.type('get pods | grep web | wc -l')).text).toBe('2\n');
    expect((await prompt.type('get pods -o name | head -n 1')).text).toMatch(/^pod\/web-\S+\n$/);
    expect(await prompt.type('get pods | grep nothing')).toMatchObject({ code: 1, text: '' });
    expect((await prompt.type('get pods | awk x')).text).toBe(
      'error: the prompt takes "grep", "wc" and "head" after a pipe, not "awk".\n',
    );
  });

  test('follows changes until Ctrl-C', async () => {
    const watching = prompt.type('get pods -w -o name', { interruptAfterMs: 5_000 });
    const { text, code } = await watching;
    expect(code).toBe(1);
    expect(text.trim().split('\n')).toHaveLength(2);
  });

  test('follows the log of a container until it ends', async () => {
    await prompt.type(`run count --image=busybox --restart=Never -- sh -c 'echo one; sleep 2; echo two'`);
    await prompt.type('wait --for=condition=Ready pod/count');
    expect((await prompt.type('logs -f count')).text).toBe('one\ntwo\n');
    expect((await prompt.type('logs count --tail=1')).text).toBe('two\n');
    await prompt.type('delete pod count');
  });

  test('opens a shell in a container', async () => {
    const { text, code } = await prompt.type('exec -i deploy/web -- sh', {
      typed: ['echo $((1 + 1))', 'exit 3'],
    });
    expect({ text, code }).toEqual({ text: '2\ncommand terminated with exit code 3\n', code: 3 });
  });

  test('prints the output of a program that it runs in a new pod, and deletes the pod', async () => {
    const { text } = await prompt.type('run hi --image=busybox -i --rm --restart=Never -- echo hi');
    expect(text).toBe('hi\npod "hi" deleted from default namespace\n');
  });

  test('sends a request from a pod', async () => {
    const address = (await prompt.type('get svc web -o jsonpath={.spec.clusterIP}')).text;
    const { text, code } = await prompt.type(`curl http://${address} | head -n 1`);
    expect({ text, code }).toEqual({ text: '<!DOCTYPE html>\n', code: 0 });
  });

  test('waits until deleted objects are gone', async () => {
    await prompt.type('run gone --image=nginx:1.27');
    await prompt.type('wait --for=condition=Ready pod/gone');
    const { text, tookMs } = await prompt.type('delete pod gone');
    expect(text).toBe('pod "gone" deleted from default namespace\n');
    expect(tookMs).toBeGreaterThan(100);
    expect(prompt.cluster.storage.get(pods, { namespace: 'default', name: 'gone' })).toBeUndefined();
  });

  test('gives up a wait after its timeout', async () => {
    expect(await prompt.type('wait --for=condition=Never deploy/web --timeout=2s')).toMatchObject({
      code: 1,
      text: 'error: timed out waiting for the condition on deployments/web\n',
    });
  });

  test.each([
    ['port-forward svc/web 8080:80', 'curl http://SERVICE'],
    ['autoscale deploy web --max=3', 'scale'],
    ['edit deploy web', 'apply -f -'],
    ['get pods && get svc', 'the prompt is no shell'],
    ['rolout status', 'Did you mean "rollout"?'],
    ['rollout statsu', 'Did you mean "status"?'],
    ['get deploymnt', 'Did you mean "deployment"?'],
    ['get pods --show-label', 'Did you mean "--show-labels"?'],
    ['get pods -o yml', 'Did you mean "yaml"?'],
    ['top pods', 'Metrics API not available'],
    ["get pods 'a", 'is not closed'],
  ])('answers %s with one sentence that says more: %s', async (line, part) => {
    const { code, text, tookMs } = await prompt.type(line);
    expect({ code, tookMs }).toEqual({ code: 1, tookMs: 0 });
    expect(text).toMatch(/^error: /);
    expect(text).toContain(part);
  });

  test('reads nothing while no apiserver is up', async () => {
    const replica = prompt.cluster.replica();
    replica.goDown();
    const { code, text } = await prompt.type('get pods');
    replica.comeBack();
    expect({ code, text }).toEqual({
      code: 1,
      text: 'The connection to the server 10.96.0.1:443 was refused - did you specify the right host or port?\n',
    });
    expect((await prompt.type('get pods')).code).toBe(0);
  });

  test('explains itself', async () => {
    expect((await prompt.type('help')).text).toContain('rollout status');
    expect((await prompt.type('get --help')).text).toContain('--show-labels');
    expect((await prompt.type('help rollout')).text).not.toContain('cordon');
  });
});

describe('A line', () => {
  let kubectl: Kubectl;
  let cluster: Cluster;
  beforeAll(async () => {
    ({ cluster, kubectl } = await Prompt.open());
  });
  afterAll(() => cluster[Symbol.asyncDispose]());

  test.each([
    ['get pods -w', true],
    ['kubectl -n a describe pod x | grep y', true],
    ['rollout status deploy/web', true],
    ['rollout undo deploy/web', false],
    ['delete pod x', false],
    ['delete --help', true],
    ['exec x -- ls --help', false],
    ['curl http://web', false],
    ['nonsense', true],
    ['', true],
  ])('%s only reads: %s', (line, reads) => {
    expect(kubectl.onlyReads(line)).toBe(reads);
  });

  test.each([
    ['ge', ['get']],
    ['rollout st', ['status']],
    ['get endpointsl', ['endpointslices', 'endpointslice']],
    ['get pods -n kube-s', ['kube-system']],
    ['describe node no', ['node-1', 'node-2']],
    ['describe node/node-2', []],
    ['get no/', ['no/node-1', 'no/node-2']],
    ['drain node-', ['node-1', 'node-2']],
    ['get pods --show-l', ['--show-labels']],
    ['unknown x', []],
  ])('%s completes to %j', (line, words) => {
    expect(kubectl.complete(line)).toEqual(words);
  });
});

describe('The rights of a user', () => {
  let prompt: Prompt;
  const robot = '--as=system:serviceaccount:default:robot';

  beforeAll(async () => {
    prompt = await Prompt.open();
  });
  afterAll(() => prompt.cluster[Symbol.asyncDispose]());

  test('are none for a new service account: each request is refused with the message of the apiserver', async () => {
    expect((await prompt.type('create serviceaccount robot')).text).toBe('serviceaccount/robot created\n');
    const refusal =
      'Error from server (Forbidden): pods is forbidden: User "system:serviceaccount:default:robot" cannot list resource "pods" in API group "" in the namespace "default"\n';
    expect(await prompt.type(`get pods ${robot}`)).toMatchObject({ code: 1, text: refusal });
    expect(await prompt.type(`auth can-i list pods ${robot}`)).toMatchObject({ code: 1, text: 'no\n' });
  });

  test('come from a role and a binding', async () => {
    await prompt.type('create role reader --verb=get,list --resource=pods,deployments.apps,pods/log');
    await prompt.type('create rolebinding robot --role=reader --serviceaccount=default:robot');
    expect(await prompt.type(`auth can-i list pods ${robot}`)).toMatchObject({ code: 0, text: 'yes\n' });
    expect(await prompt.type(`auth can-i delete pods ${robot}`)).toMatchObject({ code: 1, text: 'no\n' });
    const { text } = await prompt.type(`auth can-i --list ${robot}`);
    const rows = text.split('\n').map((line) => line.split(/ {2,}/));
    expect(rows).toContainEqual(['deployments.apps', '[]', '[]', '[get list]']);
    expect(rows).toContainEqual(['pods/log', '[]', '[]', '[get list]']);
  });

  test('are those of the apiserver also for programs and logs of pods', async () => {
    await prompt.type('run web --image=nginx');
    await prompt.type('wait pod/web --for=condition=Ready');
    expect((await prompt.type('exec web -- hostname')).text).toBe('web\n');
    const { code, text } = await prompt.type(`exec web ${robot} -- hostname`);
    expect(code).toBe(1);
    expect(text).toContain(
      'pods "web" is forbidden: User "system:serviceaccount:default:robot" cannot create',
    );
    expect((await prompt.type('logs web --as=jane')).text).toContain(
      'User "jane" cannot get resource "pods"',
    );
  });

  test('are those of groups, too', async () => {
    await prompt.type('create clusterrole namer --verb=get --resource=namespaces --resource-name=default');
    await prompt.type('create clusterrolebinding namers --clusterrole=namer --group=namers');
    expect((await prompt.type('get ns default --as=jane')).code).toBe(1);
    expect((await prompt.type('get ns default --as=jane --as-group=namers')).code).toBe(0);
  });

  test('are needed to give rights to others', async () => {
    const { code, text } = await prompt.type(`create role r --verb=get --resource=secrets ${robot}`);
    expect(code).toBe(1);
    expect(text).toContain('cannot create resource "roles"');
  });

  test('are proved by a token with an audience and a lifetime', async () => {
    const { text } = await prompt.type('create token robot --duration=10m --audience=shop');
    const claims = JSON.parse(atob((text.split('.')[1] ?? '').replace(/-/g, '+').replace(/_/g, '/')));
    expect(claims).toMatchObject({ aud: ['shop'], sub: 'system:serviceaccount:default:robot' });
    expect(claims.exp - claims.iat).toBe(600);
  });

  test('belong to the administrator without --as', async () => {
    const { text } = await prompt.type('auth whoami');
    expect(text).toMatch(/^Username +kubernetes-admin$/m);
    expect(text).toMatch(/^Groups +\[kubeadm:cluster-admins system:authenticated\]$/m);
  });
});

test('lines that only read do not change the run', async () => {
  const lives = async (observe: (prompt: Prompt) => Promise<unknown>): Promise<string> => {
    const prompt = await Prompt.open();
    await using cluster = prompt.cluster;
    await prompt.type('create deployment web --image=nginx:1.27 --replicas=2');
    await observe(prompt);
    await cluster.runFor(60_000 - cluster.sim.elapsedMs);
    return cluster.trace.hash();
  };
  const lines = [
    'get all -A',
    'get pods -w',
    'rollout status deploy/web',
    'describe nodes',
    'describe pods',
    'events -w',
    'logs -f deploy/web',
    'logs deploy/web',
    'get endpointslices -o yaml',
    'get pods --as=jane',
    'auth can-i create pods --as=jane',
    'auth can-i --list',
    'auth whoami',
    'wait --for=condition=Never deploy/web --timeout=1s',
  ];
  const observed = await lives(async (prompt) => {
    for (const line of lines) {
      expect(prompt.kubectl.onlyReads(line), line).toBe(true);
      await prompt.type(line, { interruptAfterMs: 1_500 });
      prompt.kubectl.complete(`${line} `);
    }
  });
  expect(observed).toBe(await lives((prompt) => prompt.cluster.runFor(1_500)));
});
