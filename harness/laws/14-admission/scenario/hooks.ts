import type * as admissionregistration from '#api/admissionregistration/v1';
import type * as meta from '#api/meta/v1';

/** A webhook of a scenario. Its index in {@link Facts.hooks} identifies it: its server knows it by the path `/0`. */
export interface HookPlan {
  readonly phase: 'mutating' | 'validating';
  /** The configuration: `config-a`. Webhooks of one phase and one configuration stand in it in the order of the list. */
  readonly config: string;
  /** The name in its configuration. @defaultValue that of {@link nameOfHook} */
  readonly name?: string;
  readonly rules: readonly RulePlan[];
  readonly failurePolicy?: 'Fail' | 'Ignore';
  readonly namespaceSelector?: meta.LabelSelector;
  readonly objectSelector?: meta.LabelSelector;
  /** @defaultValue 10 */
  readonly timeoutSeconds?: number;
  readonly reinvocationPolicy?: 'Never' | 'IfNeeded';
  /** @defaultValue None */
  readonly sideEffects?: 'None' | 'NoneOnDryRun' | 'Some' | 'Unknown';
  readonly answer: AnswerPlan;
}

/** A rule of a webhook. Groups and versions are any if absent. */
export interface RulePlan {
  readonly operations: readonly string[];
  readonly resources: readonly string[];
  readonly groups?: readonly string[];
  readonly versions?: readonly string[];
  readonly scope?: '*' | 'Namespaced' | 'Cluster';
}

/** The answer of a webhook to each review. */
export type AnswerPlan =
  | { readonly is: 'allow'; readonly warning?: string; readonly afterMs?: number }
  | {
      readonly is: 'deny';
      /** Whether the answer does not say `allowed` at all. */
      readonly isBare?: boolean;
      readonly code?: number;
      readonly message?: string;
      readonly reason?: string;
      readonly warning?: string;
      readonly afterMs?: number;
    }
  | { readonly is: 'patch'; readonly patch: PatchPlan; readonly afterMs?: number; readonly warning?: string }
  | { readonly is: 'broken'; readonly how: Breakage }
  | { readonly is: 'hang' };

/** An answer that is none. */
export type Breakage =
  | 'wrong uid'
  | 'no uid'
  | 'empty uid'
  | 'no response'
  | 'wrong kind'
  | 'wrong version'
  | 'text'
  | 'null'
  | 'status 500'
  /** A patch without `patchType`. */
  | 'no patch type'
  /** A `patchType` without a patch. */
  | 'only patch type'
  | 'another patch type'
  /** A patch that is not JSON. */
  | 'no JSON'
  /** A patch from a validating webhook. */
  | 'unasked patch'
  /** The webhook understands only a version of reviews that does not exist, so it gets none. */
  | 'another version';

/** The patch of a mutating webhook. */
export type PatchPlan =
  /** Sets the label, whether the object has labels or not. */
  | { readonly to: 'label'; readonly key: string; readonly value: string }
  | { readonly to: 'unlabel'; readonly key: string }
  /** Toggles the label between `x` and `y`. */
  | { readonly to: 'flip'; readonly key: string }
  /** Adds 1 to an annotation, so that each call changes the object. */
  | { readonly to: 'count' }
  /** Adds a container to a pod, if it does not have it. */
  | { readonly to: 'inject' }
  /** Adds a volume with a ConfigMap to a pod, if it does not have it. */
  | { readonly to: 'share' }
  /** Removes the tolerations of a pod. */
  | { readonly to: 'intolerance' }
  /** Removes a field with a default value: `restartPolicy` of a pod, `type` of a service. */
  | { readonly to: 'undefault' }
  /** A patch that sets a value which the object has. */
  | { readonly to: 'same' }
  /** An empty patch. */
  | { readonly to: 'nothing' }
  /** A patch of a path that does not exist. */
  | { readonly to: 'misfit' }
  /** A patch whose result is not an object of the kind. */
  | { readonly to: 'nonsense' };

/** Returns the warning of a webhook, which differs from those of all others; undefined if its answer has none. */
export const warningOf = (answer: AnswerPlan, index: number): string | undefined =>
  'warning' in answer && answer.warning ? `${nameOfHook(index)}: ${answer.warning}` : undefined;

/** Returns the name of a webhook for a reader: unique, and fully qualified. */
export const nameOfHook = (index: number): string => `hook-${index}.example.com`;

/** Returns the name of a webhook in its configuration. */
export const storedNameOf = ({ name }: HookPlan, index: number): string => name ?? nameOfHook(index);

/** The warning in an invalid answer, which must not reach the client. */
export const falseWarningOf = (index: number): string => `${nameOfHook(index)}: not valid`;

/** The key of the audit annotation in each valid answer. */
export const NOTE = 'answered';

/** Returns the time limit of a webhook. */
export const timeoutOf = ({ timeoutSeconds = 10 }: HookPlan): number => timeoutSeconds * 1_000;

/** A webhook of a stored configuration. */
interface StoredHook {
  readonly name: string;
  readonly clientConfig: admissionregistration.WebhookClientConfig;
  readonly sideEffects: string;
  readonly admissionReviewVersions: readonly string[];
  readonly matchPolicy: string;
}

/** Returns the configurations of the webhooks in one phase. */
export function configurationsOf(
  hooks: readonly HookPlan[],
  phase: HookPlan['phase'],
): readonly { readonly metadata: { name: string }; readonly webhooks: readonly StoredHook[] }[] {
  const names = [...new Set(hooks.filter((hook) => hook.phase === phase).map(({ config }) => config))];
  return names.map((name) => ({
    metadata: { name },
    webhooks: hooks.flatMap((hook, i) =>
      hook.phase === phase && hook.config === name ? [configurationOf(hook, i)] : [],
    ),
  }));
}

function configurationOf(hook: HookPlan, index: number): StoredHook {
  const { phase, rules, answer, config: _, reinvocationPolicy, timeoutSeconds = 10, ...rest } = hook;
  const { failurePolicy = 'Fail', sideEffects = 'None', namespaceSelector = {}, objectSelector = {} } = rest;
  const service = { namespace: 'hooks', name: 'server', path: `/${index}`, port: 443 };
  return {
    name: storedNameOf(hook, index),
    clientConfig: index % 2 === 0 ? { service } : { url: `https://hooks.example.com/${index}` },
    ...{ failurePolicy, sideEffects, namespaceSelector, objectSelector, timeoutSeconds },
    matchPolicy: 'Equivalent',
    admissionReviewVersions: [isAskable({ answer }) ? 'v1' : 'v2'],
    ...(phase === 'mutating' ? { reinvocationPolicy: reinvocationPolicy ?? 'Never' } : {}),
    ...{
      rules: rules.map(({ operations, resources, groups = ['*'], versions = ['*'], scope = '*' }) => ({
        operations: [...operations],
        apiGroups: [...groups],
        apiVersions: [...versions],
        resources: [...resources],
        scope,
      })),
    },
  };
}

/** Returns whether the webhook understands a version of reviews that the apiserver has. */
export const isAskable = ({ answer }: Pick<HookPlan, 'answer'>): boolean =>
  answer.is !== 'broken' || answer.how !== 'another version';

/** Returns the index of the webhook that a request is sent to. */
export function hookOf({ service, url }: admissionregistration.WebhookClientConfig): number {
  return Number((service?.path ?? url ?? '').split('/').at(-1));
}
