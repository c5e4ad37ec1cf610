import { EventEmitter, once } from 'node:events';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import {
  ApiException,
  AppsV1Api,
  Attach,
  CoreV1Api,
  Exec,
  KubeConfig,
  KubernetesObjectApi,
  Log,
  makeInformer,
  PatchStrategy,
  PolicyV1Api,
  PortForward,
  setHeaderOptions,
  type V1Deployment,
  type V1Pod,
  type V1Status,
  Watch,
} from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Components } from '../contracts/component.ts';
import { ServedCluster } from '../serving/served-cluster.ts';

const namespace = 'default';

let cluster: ServedCluster;
const config = new KubeConfig();
beforeAll(async () => {
  const { components } = (await import('#components')) as { readonly components: Components };
  cluster = await ServedCluster.of(components);
  config.loadFromString(cluster.kubeconfig);
});
afterAll(() => cluster[Symbol.asyncDispose]());

const api = {
  get core() {
    return config.makeApiClient(CoreV1Api);
  },
  get apps() {
    return config.makeApiClient(AppsV1Api);
  },
  get policy() {
    return config.makeApiClient(PolicyV1Api);
  },
};

function podOf(name: string, image: string, command?: string[], container = {}): V1Pod {
  const containers = [{ name: 'main', image, ...(command ? { command } : {}), ...container }];
  const spec = { containers, restartPolicy: 'Never', terminationGracePeriodSeconds: 0 };
  return { metadata: { name, labels: { pod: name } }, spec };
}

function deploymentOf(name: string, replicas: number): V1Deployment & { spec: { replicas: number } } {
  const labels = { app: name };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'nginx:1.25' }] } };
  const spec = { replicas, selector: { matchLabels: labels }, template };
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, namespace }, spec };
}

/**
 * Watches an object until `holds` returns true.
 *
 * @param from the watch begins with the changes since this version. @defaultValue it begins with the current object
 */
async function until<T extends object>(
  path: string,
  name: string,
  holds: (type: string, object: T) => boolean,
  from?: string,
): Promise<T> {
  const query = { fieldSelector: `metadata.name=${name}`, ...(from ? { resourceVersion: from } : {}) };
  const events = new EventEmitter();
  const found = once(events, 'found');
  const tell = (type: string, object: T): void => {
    if (holds(type, object)) events.emit('found', object);
  };
  const done = (error?: unknown): void => {
    events.emit('error', error ?? new Error('The watch has ended.'));
  };
  // The watch reports its own abort as an error.
  events.on('error', () => {});
  const connection = await new Watch(config).watch(path, query, tell, done);
  const [object] = await found.finally(() => connection.abort());
  return object as T;
}

const pods = `/api/v1/namespaces/${namespace}/pods`;

async function runs(pod: V1Pod): Promise<V1Pod> {
  const created = await api.core.createNamespacedPod({ namespace, body: pod });
  const isReady = (_: string, { status }: V1Pod): boolean =>
    status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
  return until(pods, created.metadata?.name ?? '', isReady);
}

/** Returns the code, the reason and the message of a rejected call. */
async function refusal(call: Promise<unknown>): Promise<object> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ApiException)) throw error ?? new Error('The request was not rejected.');
  const { code, reason, message } = (
    typeof error.body === 'string' ? JSON.parse(error.body) : error.body
  ) as V1Status;
  expect(code).toBe(error.code);
  return { code, reason, message };
}

describe('@kubernetes/client-node over HTTPS', () => {
  test('receives the reason why a request is rejected', async () => {
    const { core } = api;
    const configMap = (name: string) => ({ namespace, body: { metadata: { name } } });
    await core.createNamespacedConfigMap(configMap('taken'));
    expect(await refusal(core.readNamespacedPod({ name: 'none', namespace }))).toEqual({
      code: 404,
      reason: 'NotFound',
      message: 'pods "none" not found',
    });
    expect(await refusal(core.createNamespacedConfigMap(configMap('taken')))).toMatchObject({
      code: 409,
      reason: 'AlreadyExists',
    });
    expect(await refusal(core.createNamespacedConfigMap(configMap('No_Name')))).toMatchObject({
      code: 422,
      reason: 'Invalid',
    });
  });

  test('returns the object of a dry run, which creates nothing', async () => {
    const body = { metadata: { name: 'dry' } };
    const created = await api.core.createNamespacedConfigMap({ namespace, body, dryRun: 'All' });
    expect(created.metadata?.uid).toBeDefined();
    const read = api.core.readNamespacedConfigMap({ name: 'dry', namespace });
    expect(await refusal(read)).toMatchObject({ code: 404 });
  });

  test('patches only the status', async () => {
    await api.apps.createNamespacedDeployment({ namespace, body: deploymentOf('reported', 0) });
    const condition = { type: 'Reported', status: 'True', reason: 'Tried', message: '' };
    const body = { spec: { replicas: 7 }, status: { conditions: [condition] } };
    const options = setHeaderOptions('Content-Type', PatchStrategy.StrategicMergePatch);
    await api.apps.patchNamespacedDeploymentStatus({ name: 'reported', namespace, body }, options);
    const read = await api.apps.readNamespacedDeploymentStatus({ name: 'reported', namespace });
    expect(read.spec?.replicas).toBe(0);
    expect(read.status?.conditions?.map(({ type }) => type)).toContain('Reported');
  });

  test('lists page by page, continues after 410, and deletes the selected objects', async () => {
    const { core } = api;
    for (let i = 0; i < 4; i++) {
      const body = { metadata: { name: `page-${i}`, labels: { pages: '' } } };
      await core.createNamespacedConfigMap({ namespace, body });
    }
    const page = async (limit: number, token?: string) => {
      const asked = { namespace, labelSelector: 'pages', limit, ...(token ? { _continue: token } : {}) };
      const { items, metadata } = await core.listNamespacedConfigMap(asked);
      return { names: items.map((each) => each.metadata?.name), token: metadata?._continue };
    };
    const first = await page(2);
    expect(first.names).toEqual(['page-0', 'page-1']);
    await core.deleteNamespacedConfigMap({ name: 'page-3', namespace });
    expect((await page(2, first.token)).names).toEqual(['page-2', 'page-3']);
    cluster.compact();
    const expired = await page(2, first.token).catch((error: ApiException<string>) => error);
    expect(expired).toMatchObject({ code: 410 });
    const { reason, metadata } = JSON.parse((expired as ApiException<string>).body);
    expect(reason).toBe('Expired');
    expect((await page(2, metadata.continue)).names).toEqual(['page-2']);
    await core.deleteCollectionNamespacedConfigMap({ namespace, labelSelector: 'pages' });
    expect((await page(10)).names).toEqual([]);
  });

  test('keeps an informer up to date after the end of its watch, and after 410', async () => {
    const { core } = api;
    const selecting = { namespace, labelSelector: 'informed' };
    const informer = makeInformer(
      config,
      `/api/v1/namespaces/${namespace}/configmaps`,
      () => core.listNamespacedConfigMap(selecting),
      selecting.labelSelector,
    );
    const events = new EventEmitter();
    for (const verb of ['add', 'delete'] as const) informer.on(verb, (it) => events.emit(verb, it));
    informer.on('connect', () => events.emit('connect'));
    const failures: unknown[] = [];
    informer.on('error', (error) => failures.push(error));
    const create = (name: string) =>
      core.createNamespacedConfigMap({ namespace, body: { metadata: { name, labels: { informed: '' } } } });
    const names = () => informer.list().map(({ metadata }) => metadata?.name);
    await create('before');
    await informer.start();
    expect(names()).toEqual(['before']);

    // It continues from its last version.
    const connects = once(events, 'connect');
    cluster.endWatches();
    await connects;
    let told = once(events, 'add');
    await create('after-the-end');
    expect(await told).toMatchObject([{ metadata: { name: 'after-the-end' } }]);

    // The apiserver compacts the events that the informer missed, so the informer has to list again.
    told = once(events, 'add');
    const gone = once(events, 'delete');
    await cluster.endWatchesBefore(async () => {
      await create('missed');
      await core.deleteNamespacedConfigMap({ name: 'before', namespace });
    });
    expect(await told).toMatchObject([{ metadata: { name: 'missed' } }]);
    expect(await gone).toMatchObject([{ metadata: { name: 'before' } }]);
    expect(names()).toEqual(['after-the-end', 'missed']);
    expect(failures).toEqual([]);
    await informer.stop();
  });

  test('receives a conflict on apply, and takes the field over by force', async () => {
    const objects = KubernetesObjectApi.makeApiClient(config);
    const apply = (manager: string, replicas: number, force = false) =>
      objects.patch(
        deploymentOf('applied', replicas),
        undefined,
        undefined,
        manager,
        force,
        PatchStrategy.ServerSideApply,
      );
    expect((await apply('one', 0)).spec.replicas).toBe(0);
    expect(await refusal(apply('two', 1))).toMatchObject({
      code: 409,
      reason: 'Conflict',
      message: expect.stringContaining('conflict with "one": .spec.replicas'),
    });
    const applied = await apply('two', 1, true);
    expect(applied.spec.replicas).toBe(1);
    const owners = applied.metadata?.managedFields?.filter(({ fieldsV1 }) =>
      Object.hasOwn((fieldsV1 as { 'f:spec'?: object })['f:spec'] ?? {}, 'f:replicas'),
    );
    expect(owners?.map(({ manager }) => manager)).toEqual(['two']);
  });

  test('reads, lists, replaces and deletes untyped objects', async () => {
    const objects = KubernetesObjectApi.makeApiClient(config);
    const header = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'untyped', namespace } };
    await objects.create({ ...header, data: { a: '1' } });
    const read = await objects.read(header);
    await objects.replace({ ...read, data: { a: '2' } } as never);
    const list = await objects.list(
      'v1',
      'ConfigMap',
      namespace,
      undefined,
      undefined,
      undefined,
      'metadata.name=untyped',
    );
    expect(list.items).toMatchObject([{ data: { a: '2' } }]);
    await objects.delete(header);
    expect(await refusal(objects.read(header))).toMatchObject({ code: 404 });
  });

  test('watches a Deployment roll out, and deletes it with all its dependents', async () => {
    const { apps, core } = api;
    const path = `/apis/apps/v1/namespaces/${namespace}/deployments`;
    await apps.createNamespacedDeployment({ namespace, body: deploymentOf('web', 2) });
    const done = await until(path, 'web', (_, { status }: V1Deployment) => status?.availableReplicas === 2);
    await apps.deleteNamespacedDeployment({ name: 'web', namespace, propagationPolicy: 'Foreground' });
    await until(path, 'web', (type) => type === 'DELETED', done.metadata?.resourceVersion);
    expect((await core.listNamespacedPod({ namespace, labelSelector: 'app=web' })).items).toEqual([]);
  });

  test('follows a log until the container exits', async () => {
    const command = ['sh', '-c', 'echo one; sleep 5; echo two'];
    await runs(podOf('speaker', 'busybox:1.36', command));
    const stream = new PassThrough();
    await new Log(config).log(namespace, 'speaker', 'main', stream, { follow: true });
    expect(await text(stream)).toBe('one\ntwo\n');
    const last = new PassThrough();
    await new Log(config).log(namespace, 'speaker', 'main', last, { tailLines: 1, timestamps: true });
    expect(await text(last)).toMatch(/^\d{4}-\S+Z two\n$/);
    const failed = new Log(config).log(namespace, 'speaker', 'none', new PassThrough());
    await expect(failed).rejects.toMatchObject({ code: 400 });
  });

  describe('in a running pod', () => {
    beforeAll(async () => {
      await runs(podOf('nginx', 'nginx:1.25'));
      await runs(podOf('shell', 'busybox:1.36', ['sh'], { stdin: true }));
    });

    /** Runs a command that reads this input, and returns its output. */
    async function exec(command: string[], typed?: string, tty = false) {
      const [stdout, stderr] = [new PassThrough(), new PassThrough()];
      const stdin = typed === undefined ? null : new PassThrough();
      const ended = new Promise<V1Status>((resolve) => {
        void new Exec(config).exec(namespace, 'nginx', 'main', command, stdout, stderr, stdin, tty, resolve);
      });
      stdin?.end(typed);
      const { status, details } = await ended;
      const exit = details?.causes?.find(({ reason }) => reason === 'ExitCode')?.message;
      return { status, exit, out: await text(stdout), err: await text(stderr) };
    }

    test('runs a command, and receives its output and exit code', async () => {
      const script = 'echo out; echo oops >&2; exit 3';
      expect(await exec(['sh', '-c', script])).toEqual({
        status: 'Failure',
        exit: '3',
        out: 'out\n',
        err: 'oops\n',
      });
    });

    test('lets a command read its input to the end', async () => {
      expect(await exec(['cat'], 'hello\n')).toMatchObject({ status: 'Success', out: 'hello\n' });
    });

    test('opens a terminal', async () => {
      expect(await exec(['sh'], 'exit 4\r', true)).toMatchObject({ exit: '4', out: '# exit 4\r\n' });
    });

    test('attaches to its first process', async () => {
      const [stdout, stdin] = [new PassThrough(), new PassThrough()];
      const socket = await new Attach(config).attach(namespace, 'shell', 'main', stdout, null, stdin, false);
      stdin.write('echo attached\n');
      expect(String((await once(stdout, 'data'))[0])).toBe('attached\n');
      socket.close();
    });

    test('forwards a port, and receives an error if nothing listens on it', async () => {
      const forward = async (port: number, sent: string) => {
        const [output, errors, input] = [new PassThrough(), new PassThrough(), new PassThrough()];
        const opened = await new PortForward(config).portForward(
          namespace,
          'nginx',
          [port],
          output,
          errors,
          input,
        );
        if (typeof opened === 'function') throw new Error('It was asked for no second try.');
        const closed = once(opened as unknown as EventEmitter, 'close');
        input.write(sent);
        await closed;
        output.end();
        errors.end();
        return { output: await text(output), errors: await text(errors) };
      };
      const request = 'GET / HTTP/1.1\r\nHost: nginx\r\nConnection: close\r\n\r\n';
      const answered = await forward(80, request);
      expect(answered.output).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*Welcome to nginx!/);
      expect(answered.errors).toBe('');
      const refused = await forward(81, request);
      expect(refused.output).toBe('');
      expect(refused.errors).toContain('error forwarding port 81 to pod');
    });

    test('requests a page of it, and of its node, through the apiserver', async () => {
      const { core } = api;
      const page = await core.connectGetNamespacedPodProxyWithPath({
        name: 'nginx:80',
        namespace,
        path: 'index.html',
      });
      expect(String(page)).toContain('Welcome to nginx!');
      expect(await core.connectGetNodeProxyWithPath({ name: 'node-1', path: 'healthz' })).toBe('ok');
    });

    test('evicts it, unless a budget forbids it', async () => {
      const { core, policy } = api;
      const body = { metadata: { name: 'shell' } };
      const spec = { minAvailable: 1, selector: { matchLabels: { pod: 'shell' } } };
      await policy.createNamespacedPodDisruptionBudget({
        namespace,
        body: { metadata: { name: 'guard' }, spec },
      });
      const evict = () => core.createNamespacedPodEviction({ name: 'shell', namespace, body });
      expect(await refusal(evict())).toMatchObject({ code: 429, reason: 'TooManyRequests' });
      await policy.deleteNamespacedPodDisruptionBudget({ name: 'guard', namespace });
      const { metadata } = await core.readNamespacedPod({ name: 'shell', namespace });
      await evict();
      await until(pods, 'shell', (type) => type === 'DELETED', metadata?.resourceVersion);
    });
  });
});
