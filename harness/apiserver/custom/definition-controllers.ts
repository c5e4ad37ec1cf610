import type { CustomResourceDefinitionNames } from '#api/apiextensions/v1';
import { deepEqual } from '../../api/freeze.ts';
import { quote } from '../../api/names.ts';
import { type CustomResourceDefinition, keyOf } from '../../api/objects.ts';
import { customResourceDefinitions } from '../../api/plain-resources.ts';
import { formatTime } from '../../sim/index.ts';
import type { Eventually } from '../eventually.ts';
import { sameResource } from '../storage/storage.ts';
import { remove } from '../verbs/delete.ts';
import type { Registry } from '../verbs/registry.ts';
import { approvalOf, isProtectedGroup } from './api-approval.ts';
import { CLEANUP_FINALIZER } from './cleanup-finalizer.ts';
import { isTrue, storedOf } from './custom-resources.ts';
import { type DefinitionCondition, withDefinitionCondition } from './definition-condition.ts';

/**
 * Runs the controllers for definitions inside the apiserver. They accept names, establish definitions, and delete the
 * objects of a deleted definition.
 *
 * Upstream: kubernetes/apiextensions-apiserver@v0.36.3 pkg/controller/status/naming_controller.go,
 * pkg/controller/establish/establishing_controller.go, pkg/controller/finalizer/crd_finalizer.go
 *
 * Differs: with several apiservers, upstream waits 5 s before it establishes a definition. Here each deletion of an
 * instance triggers a new check; upstream polls every 5 s and gives up after a minute.
 */
export function runDefinitionControllers(registry: Registry): void {
  const { storage, clock } = registry;
  let waiting = storage.list(customResourceDefinitions).length > 0;
  const sync = (): void => {
    waiting = false;
    for (const object of storage.list(customResourceDefinitions)) {
      const written = step(registry, object as CustomResourceDefinition);
      // If another write came first, its event has triggered the next check. Else the store did not answer.
      if (written instanceof Promise) written.catch(() => clock.after(RETRY_MS, sync));
    }
  };
  if (waiting) clock.after(0, sync);
  storage.follow({
    wrote: ({ resource, type }) => {
      const concerns = sameResource(resource, customResourceDefinitions);
      const isInstance =
        type === 'DELETED' &&
        (storage.list(customResourceDefinitions) as CustomResourceDefinition[]).some(
          ({ spec }) => spec.group === resource.group && spec.names.plural === resource.plural,
        );
      if (waiting || !(concerns || isInstance)) return;
      waiting = true;
      clock.after(0, sync);
    },
  });
}

/** The pause after a failed write, in ms. A storage in this process never fails. */
const RETRY_MS = 1_000;

/** Performs the next pending step of a definition. Its write triggers the step after it. */
function step(registry: Registry, definition: CustomResourceDefinition): Eventually<unknown> {
  const { deletionTimestamp, finalizers = [] } = definition.metadata;
  if (deletionTimestamp && finalizers.includes(CLEANUP_FINALIZER)) return cleanUp(registry, definition);
  const approved = withApproval(registry, definition);
  if (approved !== definition) return write(registry, definition, approved);
  const named = withNames(registry, definition);
  if (named !== definition) return write(registry, definition, named);
  if (!deletionTimestamp && isTrue(definition, 'NamesAccepted') && !isTrue(definition, 'Established')) {
    const condition = {
      type: 'Established',
      status: 'True',
      reason: 'InitialNamesAccepted',
      message: 'the initial names have been accepted',
    } as const;
    return write(registry, definition, withOneCondition(registry, definition, condition));
  }
  return undefined;
}

function write(
  { writes }: Registry,
  old: CustomResourceDefinition,
  next: CustomResourceDefinition,
): Eventually<CustomResourceDefinition> {
  if (deepEqual(old, next)) return old;
  return writes.update(customResourceDefinitions, next, old.metadata.resourceVersion);
}

function withOneCondition(
  { clock }: Registry,
  definition: CustomResourceDefinition,
  condition: DefinitionCondition,
): CustomResourceDefinition {
  return withDefinitionCondition(definition, condition, formatTime(clock.now()));
}

/**
 * Sets the condition with the project's approval of an API in one of its groups.
 *
 * Upstream: kubernetes/apiextensions-apiserver@v0.36.3 pkg/controller/apiapproval/apiapproval_controller.go calculateCondition
 */
function withApproval(registry: Registry, definition: CustomResourceDefinition): CustomResourceDefinition {
  if (!isProtectedGroup(definition.spec.group)) return definition;
  const { state, reason: message } = approvalOf(definition);
  const condition: DefinitionCondition = {
    type: 'KubernetesAPIApprovalPolicyConformant',
    status: state === 'Approved' ? 'True' : 'False',
    reason: APPROVAL_REASONS[state],
    message,
  };
  const next = withOneCondition(registry, definition, condition);
  return deepEqual(next, definition) ? definition : next;
}

const APPROVAL_REASONS = {
  Approved: 'ApprovedAnnotation',
  Bypassed: 'UnapprovedAnnotation',
  Invalid: 'InvalidAnnotation',
  Missing: 'MissingAnnotation',
} as const;

/** Upstream: NamingConditionController.calculateNamesAndConditions */
function withNames(registry: Registry, definition: CustomResourceDefinition): CustomResourceDefinition {
  const { spec, status } = definition;
  const accepted: Partial<CustomResourceDefinitionNames> = status.acceptedNames ?? {};
  if (deepEqual(spec.names, accepted)) return definition;
  const taken = namesTaken(registry, definition);
  const names: Record<string, unknown> = { ...accepted, categories: spec.names.categories };
  let conflict: DefinitionCondition | undefined;
  const claim = (
    field: keyof CustomResourceDefinitionNames,
    used: ReadonlySet<string>,
    reason: string,
  ): void => {
    const wanted = [spec.names[field] ?? []].flat();
    const own = [accepted[field] ?? []].flat();
    const refused = wanted.filter((name) => name !== '' && !own.includes(name) && used.has(name));
    if (refused.length === 0) {
      names[field] = spec.names[field];
      return;
    }
    const told = refused.map((name) => `${quote(name)} is already in use`);
    const message = told.length === 1 ? (told[0] as string) : `[${told.join(', ')}]`;
    conflict = { type: 'NamesAccepted', status: 'False', reason, message };
  };
  claim('plural', taken.resources, 'PluralConflict');
  claim('singular', taken.resources, 'SingularConflict');
  claim('shortNames', taken.resources, 'ShortNamesConflict');
  claim('kind', taken.kinds, 'KindConflict');
  claim('listKind', taken.kinds, 'ListKindConflict');
  const acceptance: DefinitionCondition = conflict ?? {
    type: 'NamesAccepted',
    status: 'True',
    reason: 'NoConflicts',
    message: 'no conflicts found',
  };
  const acceptedNames = Object.fromEntries(
    Object.entries({ plural: '', kind: '', ...names }).filter(([, name]) => name !== undefined),
  ) as unknown as CustomResourceDefinitionNames;
  const next = withOneCondition(
    registry,
    { ...definition, status: { ...status, acceptedNames } },
    acceptance,
  );
  const established = status.conditions?.find(({ type }) => type === 'Established');
  if (established?.status === 'True' || (established && conflict)) return next;
  return withOneCondition(registry, next, {
    type: 'Established',
    status: 'False',
    ...(conflict
      ? { reason: 'NotAccepted', message: 'not all names are accepted' }
      : { reason: 'Installing', message: 'the initial names have been accepted' }),
  });
}

/** Returns the names of all definitions in the group. */
function namesTaken({ storage }: Registry, { spec }: CustomResourceDefinition) {
  const definitions = (storage.list(customResourceDefinitions) as CustomResourceDefinition[]).filter(
    (other) => other.spec.group === spec.group,
  );
  const names = definitions.map(({ status }) => status.acceptedNames);
  return {
    resources: new Set(
      names.flatMap((each) => [each?.plural ?? '', each?.singular ?? '', ...(each?.shortNames ?? [])]),
    ),
    kinds: new Set(names.flatMap((each) => [each?.kind ?? '', each?.listKind ?? ''])),
  };
}

/** Upstream: CRDFinalizer.sync */
function cleanUp(registry: Registry, definition: CustomResourceDefinition): Eventually<unknown> {
  const { storage, writes } = registry;
  const begun = withOneCondition(registry, definition, {
    type: 'Terminating',
    status: 'True',
    reason: 'InstanceDeletionInProgress',
    message: 'CustomResource deletion is in progress',
  });
  if (!deepEqual(begun, definition)) return write(registry, definition, begun);
  const stored = storedOf(definition);
  const instances = storage.list(stored);
  if (instances.length > 0) {
    const doomed = instances.filter(({ metadata }) => !metadata.deletionTimestamp);
    return Promise.all(doomed.map((instance) => remove(registry, stored, keyOf(instance), {})));
  }
  const { finalizers = [] } = definition.metadata;
  const left = finalizers.filter((finalizer) => finalizer !== CLEANUP_FINALIZER);
  const { resourceVersion } = definition.metadata;
  if (left.length === 0) {
    // Without other finalizers the definition disappears, so a final condition would never be visible.
    return writes.delete(customResourceDefinitions, keyOf(definition), resourceVersion);
  }
  const done = withOneCondition(registry, definition, {
    type: 'Terminating',
    status: 'False',
    ...(isTrue(definition, 'Established')
      ? { reason: 'InstanceDeletionCompleted', message: 'removed all instances' }
      : { reason: 'NeverEstablished', message: 'resource was never established' }),
  });
  return write(registry, definition, { ...done, metadata: { ...done.metadata, finalizers: left } });
}
