import { describe, expect, test } from 'vitest';
import type { AdmissionContext, LimitRange, PriorityClass } from '#given/14-admission';
import { Refusal, TOKEN_MOUNT_PATH } from '#given/14-admission';
import {
  type core,
  namespaces,
  type Pod,
  priorityClasses,
  type ServiceAccount,
  serviceAccounts,
} from '#harness';
import { named, ruleFor, vectors } from '#harness/testing';
import {
  newAdmission,
  priorityOf,
  withLimits,
  withToken,
  withTolerations,
} from '#kata/14-admission/admission';
import { attributes, limitRange, type Outcome, pod, stored, TestApiserver } from './context.fixture.ts';

const podWith = (spec: object): Pod => pod(spec);

describe('Level 3 · Pods are completed', () => {
  test.each(
    named(
      vectors<{ tolerations: core.Toleration[] }, { tolerations: core.Toleration[] }>(
        'tolerations',
        'defaultTolerations',
        8,
      ),
    ),
  )('withTolerations agrees with upstream: %s', (_, { input, expect: expected }) => {
    const { tolerations } = withTolerations(podWith(input)).spec;
    expect(tolerations, ruleFor('a fault of a node is tolerated for 300 s', input)).toEqual(
      expected.tolerations,
    );
  });

  test('withTolerations adds nothing the second time', () => {
    const completed = withTolerations(podWith({}));
    expect(withTolerations(completed)).toEqual(completed);
  });

  interface PriorityInput {
    readonly classes: readonly { readonly name: string; readonly value: number }[];
    readonly spec: Partial<core.PodSpec>;
  }

  type PriorityExpected = Partial<core.PodSpec> & { readonly error?: string };

  const classesOf = ({ classes }: PriorityInput) =>
    classes.map(({ name, ...rest }) => stored(priorityClasses, name, rest));

  test.each(
    named(
      vectors<PriorityInput, PriorityExpected>('priority', 'admitPod', 14).filter(
        ({ expect: { error } }) => !error,
      ),
    ),
  )('priorityOf agrees with upstream: %s', (_, { input, expect: expected }) => {
    const { className, value, policy } = priorityOf(input.spec.priorityClassName, classesOf(input));
    const { priority, priorityClassName = className, preemptionPolicy = policy } = expected;
    expect([value, className, policy], ruleFor('has this priority', input)).toEqual([
      priority,
      priorityClassName,
      preemptionPolicy,
    ]);
  });

  test('priorityOf a pod without any class is 0, and the pod may preempt others', () => {
    expect(priorityOf(undefined, [])).toEqual({ value: 0, policy: 'PreemptLowerPriority' });
  });

  test('priorityOf a missing class is a refusal', () => {
    const classes: PriorityClass[] = [stored(priorityClasses, 'high', { value: 9, globalDefault: true })];
    expect(refusalOf(() => priorityOf('low', classes))).toBe('no PriorityClass with name low was found');
  });

  test.each(named(vectors<PriorityInput, PriorityExpected>('priority', 'admitPod', 14)))(
    'The apiserver gives a pod its priority as upstream: %s',
    async (_, { input, expect: expected }) => {
      const server = new TestApiserver({ stored: [NAMESPACE, account(), ...classesOf(input)] });
      const request = attributes({ object: podWith(input.spec) });
      const { value, error: failure } = await server.outcome(() =>
        newAdmission(server.context).admit(request),
      );
      const { error, ...spec } = expected;
      if (error) {
        expect(failure?.message).toBe(`pods "p" is forbidden: ${error}`);
        return;
      }
      expect(failure, ruleFor('is admitted', input)).toBeUndefined();
      expect((value as Pod).spec, ruleFor('gets its priority', input)).toMatchObject(spec);
    },
  );

  const account = (rest: object = {}): ServiceAccount => stored(serviceAccounts, 'default', rest);

  test('withToken mounts the token in every container that has nothing there', () => {
    const own = { name: 'own', volumeMounts: [{ name: 'mine', mountPath: TOKEN_MOUNT_PATH }] };
    const given = podWith({ initContainers: [{ name: 'init' }], containers: [{ name: 'c' }, own] });
    const { spec } = withToken(given, account(), 'kube-api-access-abcde');
    const mount = { name: 'kube-api-access-abcde', readOnly: true, mountPath: TOKEN_MOUNT_PATH };
    expect(spec.initContainers?.[0]?.volumeMounts).toEqual([mount]);
    expect(spec.containers?.map(({ volumeMounts }) => volumeMounts)).toEqual([[mount], own.volumeMounts]);
    expect(spec.volumes?.map(({ name }) => name)).toEqual(['kube-api-access-abcde']);
  });

  test('withToken asks the pod first, then the account', () => {
    const given = podWith({ automountServiceAccountToken: true, containers: [{ name: 'c' }] });
    const off = account({ automountServiceAccountToken: false });
    expect(withToken(given, off, 'v').spec.volumes).toHaveLength(1);
    expect(withToken(podWith({ containers: [{ name: 'c' }] }), off, 'v').spec.volumes).toBeUndefined();
  });

  test('withToken accepts a pod without containers, which only validation refuses', () => {
    expect(withToken(podWith({}), account(), 'v')).toEqual(podWith({}));
  });

  test('withToken changes nothing the second time', () => {
    const completed = withToken(podWith({ containers: [{ name: 'c' }] }), account(), 'kube-api-access-aaaaa');
    expect(withToken(completed, account(), 'kube-api-access-bbbbb')).toEqual(completed);
  });

  interface LimitInput {
    readonly pod: core.PodSpec;
    readonly limit: core.LimitRangeItem;
  }

  const range = (item: core.LimitRangeItem): LimitRange => limitRange([item]);

  test.each([
    ['the container has nothing', {}, { limits: { cpu: '2', memory: '1Gi' }, requests: { cpu: '1' } }],
    [
      'the container has a limit',
      { limits: { cpu: '3' } },
      { limits: { cpu: '3', memory: '1Gi' }, requests: { cpu: '1' } },
    ],
    [
      'the container has everything',
      { limits: { cpu: '3', memory: '3Gi' }, requests: { cpu: '3', memory: '3Gi' } },
      { limits: { cpu: '3', memory: '3Gi' }, requests: { cpu: '3', memory: '3Gi' } },
    ],
  ])('withLimits sets only missing resources: %s', (_, resources, expected) => {
    const item = { type: 'Container', default: { cpu: '2', memory: '1Gi' }, defaultRequest: { cpu: '1' } };
    expect(withLimits({ name: 'c', resources }, range(item)).resources).toEqual(expected);
  });

  test('withLimits keeps all other fields of the container, and of its resources', () => {
    const claims = [{ name: 'gpu' }];
    const given = { name: 'c', image: 'nginx', resources: { claims, limits: { cpu: '3' } } };
    const { resources, ...rest } = withLimits(
      given,
      range({ type: 'Container', default: { memory: '1Gi' } }),
    );
    expect(rest).toEqual({ name: 'c', image: 'nginx' });
    expect(resources).toMatchObject({ claims, limits: { cpu: '3', memory: '1Gi' } });
  });

  test('withLimits ignores the limits of whole pods', () => {
    const { resources } = withLimits(
      { name: 'c' },
      range({ type: 'Pod', max: { cpu: '1' }, default: { cpu: '1' } }),
    );
    expect([resources?.limits ?? {}, resources?.requests ?? {}]).toEqual([{}, {}]);
  });

  test.each(
    named(
      vectors<LimitInput, { pod: core.PodSpec; annotation: string | null }>('limitranger', 'withLimits', 3),
    ),
  )('The apiserver sets limits as upstream: %s', async (_, { input, expect: expected }) => {
    const server = new TestApiserver({ stored: [NAMESPACE, account(), range(input.limit)] });
    const spec = { ...input.pod, automountServiceAccountToken: false };
    const request = attributes({ object: podWith(spec) });
    const { value, error } = await server.outcome(() => newAdmission(server.context).admit(request));
    expect(error, ruleFor('is admitted', input)).toBeUndefined();
    const { metadata, spec: completed } = value as Pod;
    expect(completed, ruleFor('gets the defaults', input)).toMatchObject(expected.pod);
    expect(metadata.annotations?.['kubernetes.io/limit-ranger'] ?? null).toBe(expected.annotation);
  });

  interface AccountInput {
    readonly operation?: 'UPDATE';
    readonly account: { readonly name: string } | null;
    readonly namespace?: string;
    readonly mirror?: boolean;
    readonly spec: core.PodSpec;
  }

  test.each(
    named(vectors<AccountInput, { spec?: object; error?: string }>('service-account', 'admitPod', 15)),
  )(
    'The apiserver gives a pod its service account as upstream: %s',
    async (_, { input, expect: expected }) => {
      const { operation = 'CREATE', mirror } = input;
      const accounts = input.account ? [stored(serviceAccounts, input.account.name, input.account)] : [];
      const server = new TestApiserver({ stored: [NAMESPACE, ...accounts] });
      const annotations = mirror ? { 'kubernetes.io/config.mirror': 'x' } : {};
      const object = pod(input.spec, { annotations });
      const request = attributes({ operation, object, ...(operation === 'UPDATE' && { oldObject: object }) });
      const outcome = await server.outcome(() => newAdmission(server.context).admit(request));
      if (expected.error) {
        expect(outcome.error?.message).toBe(`pods "p" is forbidden: ${expected.error}`);
      } else {
        expect(outcome.error, ruleFor('is admitted', input)).toBeUndefined();
        expect(accountFields(outcome), ruleFor('gets its account', input)).toEqual(expected.spec);
      }
    },
  );

  test('The account "default" may appear while the apiserver looks for it', async () => {
    const server = new TestApiserver({ stored: [NAMESPACE] });
    server.simulation.schedule(500, 'controller', 'creates the account', () => {
      server.storage.set('ServiceAccount ns/default', account());
    });
    const { value, error } = await server.outcome(() =>
      newAdmission(server.context).admit(attributes({ object: podWith({ containers: [{ name: 'c' }] }) })),
    );
    expect(error).toBeUndefined();
    expect((value as Pod | undefined)?.spec.serviceAccountName).toBe('default');
  });
});

const NAMESPACE = stored(namespaces, 'ns', { status: { phase: 'Active' } });

/** Returns the message of a refusal. */
function refusalOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
  return 'was not refused';
}

/** Returns the fields that the plugin ServiceAccount sets, with the random part of a name as xxxxx. */
function accountFields({ value }: Outcome<unknown>): object {
  const { spec } = value as Pod;
  const {
    priority: _,
    preemptionPolicy: __,
    tolerations: ___,
    serviceAccount: ____,
    ...rest
  } = spec as core.PodSpec & AdmissionContext;
  const text = JSON.stringify(rest).replace(/kube-api-access-(?!abcde)[a-z0-9]{5}/g, 'kube-api-access-xxxxx');
  return JSON.parse(text) as object;
}
