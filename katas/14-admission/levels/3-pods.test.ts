import { describe, expect, test } from 'vitest';
import type { AdmissionContext, LimitRange, PriorityClass, ServiceAccount } from '#given/14-admission';
import { Refusal, TOKEN_MOUNT_PATH } from '#given/14-admission';
import { type core, namespaces, type Pod, priorityClasses, serviceAccounts } from '#harness';
import { named, ruleFor, vectors } from '#harness/testing';
import { newAdmission, withLimits, withPriority, withServiceAccount, withTolerations } from '#kata/14-admission/admission';
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

  test.each(
    named(vectors<PriorityInput, Partial<core.PodSpec> & { error?: string }>('priority', 'admitPod', 14)),
  )('withPriority agrees with upstream: %s', (_, { input, expect: expected }) => {
    const classes = input.classes.map(({ name, ...rest }) => stored(priorityClasses, name, rest));
    const { error, ...spec } = expected;
    const given = podWith(input.spec);
    if (error) {
      expect(
        refusalOf(() => withPriority(given, classes)),
        ruleFor('is refused', input),
      ).toBe(error);
    } else {
      expect(withPriority(given, classes).spec, ruleFor('gets its priority', input)).toMatchObject(spec);
    }
  });

  test('withPriority gives a pod without any class the default policy', () => {
    expect(withPriority(podWith({}), []).spec).toEqual({
      priority: 0,
      preemptionPolicy: 'PreemptLowerPriority',
    });
  });

  test('withPriority changes nothing the second time', () => {
    const classes: PriorityClass[] = [stored(priorityClasses, 'high', { value: 9, globalDefault: true })];
    const completed = withPriority(podWith({}), classes);
    expect(withPriority(completed, classes)).toEqual(completed);
  });

  const account = (rest: object = {}): ServiceAccount => stored(serviceAccounts, 'default', rest);

  test('withServiceAccount mounts the token in every container that has nothing there', () => {
    const own = { name: 'own', volumeMounts: [{ name: 'mine', mountPath: TOKEN_MOUNT_PATH }] };
    const given = podWith({ initContainers: [{ name: 'init' }], containers: [{ name: 'c' }, own] });
    const { spec } = withServiceAccount(given, account(), 'kube-api-access-abcde');
    const mount = { name: 'kube-api-access-abcde', readOnly: true, mountPath: TOKEN_MOUNT_PATH };
    expect(spec.initContainers?.[0]?.volumeMounts).toEqual([mount]);
    expect(spec.containers?.map(({ volumeMounts }) => volumeMounts)).toEqual([[mount], own.volumeMounts]);
    expect(spec.volumes?.map(({ name }) => name)).toEqual(['kube-api-access-abcde']);
  });

  test('withServiceAccount asks the pod first, then the account', () => {
    const given = podWith({ automountServiceAccountToken: true, containers: [{ name: 'c' }] });
    const off = account({ automountServiceAccountToken: false });
    expect(withServiceAccount(given, off, 'v').spec.volumes).toHaveLength(1);
    expect(
      withServiceAccount(podWith({ containers: [{ name: 'c' }] }), off, 'v').spec.volumes,
    ).toBeUndefined();
  });

  test('withServiceAccount changes nothing the second time', () => {
    const completed = withServiceAccount(
      podWith({ containers: [{ name: 'c' }] }),
      account(),
      'kube-api-access-aaaaa',
    );
    expect(withServiceAccount(completed, account(), 'kube-api-access-bbbbb')).toEqual(completed);
  });

  interface LimitInput {
    readonly pod: core.PodSpec;
    readonly limit: core.LimitRangeItem;
  }

  test.each(named(vectors<LimitInput, { pod: core.PodSpec }>('limitranger', 'withLimits', 3)))(
    'withLimits agrees with upstream: %s',
    (_, { input, expect: expected }) => {
      const range: LimitRange = limitRange([input.limit]);
      expect(withLimits(podWith(input.pod), range).spec, ruleFor('gets the defaults', input)).toEqual(
        expected.pod,
      );
    },
  );

  test('withLimits leaves a pod without defaults as it is', () => {
    const given = podWith({ containers: [{ name: 'c' }] });
    expect(withLimits(given, limitRange([{ type: 'Pod', max: { cpu: '1' } }])).spec.containers).toEqual([
      { name: 'c', resources: {} },
    ]);
  });

  test.each(named(vectors<LimitInput, { annotation: string | null }>('limitranger', 'withLimits', 3)))(
    'The apiserver annotates the pod: %s',
    async (_, { input, expect: expected }) => {
      const server = new TestApiserver({ stored: [NAMESPACE, account(), limitRange([input.limit])] });
      const { value } = await server.admitted(
        newAdmission(server.context),
        attributes({ object: podWith(input.pod) }),
      );
      expect(value?.metadata.annotations?.['kubernetes.io/limit-ranger'] ?? null).toBe(expected.annotation);
    },
  );

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
        expect(accountFields(outcome), ruleFor('gets its account', input)).toEqual(expected.spec);
      }
    },
  );

  test('The account "default" may appear while the apiserver looks for it', async () => {
    const server = new TestApiserver({ stored: [NAMESPACE] });
    server.simulation.schedule(500, 'controller', 'creates the account', () => {
      server.storage.set('ServiceAccount ns/default', account());
    });
    const { value } = await server.outcome(() =>
      newAdmission(server.context).admit(attributes({ object: podWith({ containers: [{ name: 'c' }] }) })),
    );
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
