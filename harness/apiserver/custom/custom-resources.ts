import type { CustomResourceDefinitionSpec, CustomResourceDefinitionVersion } from '#api/apiextensions/v1';
import { defineResource } from '../../api/define-resource.ts';
import { deepEqual } from '../../api/freeze.ts';
import type { CustomResourceDefinition, KubeObject } from '../../api/objects.ts';
import { customResourceDefinitions } from '../../api/plain-resources.ts';
import { groupVersion, type Resource, type Subresource, type Verb } from '../../api/resource.ts';
import { errors } from '../../api/status.ts';
import type { Kind } from '../kind.ts';
import { type StoredObjects, sameResource } from '../storage/storage.ts';
import { customKind } from './custom-kind.ts';
import { customVersionOf, setCustomVersion } from './custom-version.ts';
import { columnsOfDefinition } from './printer-columns.ts';

/**
 * The custom resources of all established definitions, one for each served version. A write of a definition updates
 * them at once.
 *
 * Upstream: kubernetes/apiextensions-apiserver@v0.36.3 pkg/apiserver/customresource_handler.go crdHandler
 */
export class CustomResources {
  readonly #byDefinition = new Map<string, readonly Resource[]>();
  readonly #resources = new Map<string, Resource>();
  readonly #changed: (resource: Resource) => void;
  #all: readonly Resource[] | undefined;

  /** @param changed - called for each resource that is no longer served, or has changed */
  constructor(storage: StoredObjects, changed: (resource: Resource) => void) {
    this.#changed = changed;
    for (const object of storage.list(customResourceDefinitions)) this.#define(object, undefined);
    storage.follow({
      wrote: ({ resource, type, object, previous }) => {
        if (sameResource(resource, customResourceDefinitions)) {
          this.#define(type === 'DELETED' ? undefined : object, previous);
        }
      },
    });
  }

  /** All custom resources by group; within a group from the newest and most stable version on. */
  get all(): readonly Resource[] {
    this.#all ??= [...this.#byDefinition.values()]
      .flat()
      .sort((a, b) => compareTexts(a.group, b.group) || compareVersions(a.version, b.version));
    return this.#all;
  }

  /**
   * Returns the currently served form of a resource. A built-in resource stays unchanged.
   *
   * @throws StatusError NotFound for a custom resource that is no longer served
   */
  resolve<T extends KubeObject>(resource: Resource<T>): Resource<T> {
    const served = this.#resources.get(keyOf(resource));
    if (served) return served as unknown as Resource<T>;
    if (customVersionOf(resource)) throw errors.pageNotFound();
    return resource;
  }

  #define(object: KubeObject | undefined, previous: KubeObject | undefined): void {
    const definition = object as CustomResourceDefinition | undefined;
    const before = previous as CustomResourceDefinition | undefined;
    if (definition && before && servedAlike(definition, before)) return;
    this.#all = undefined;
    const name = (definition ?? before)?.metadata.name ?? '';
    const old = this.#byDefinition.get(name) ?? [];
    for (const resource of old) this.#resources.delete(keyOf(resource));
    this.#byDefinition.delete(name);
    if (definition && isTrue(definition, 'Established')) {
      const resources = resourcesOf(definition);
      this.#byDefinition.set(name, resources);
      for (const resource of resources) this.#resources.set(keyOf(resource), resource);
    }
    // While a definition is terminating, its watches continue.
    if (definition && before && describedAlike(definition, before)) return;
    for (const resource of old) this.#changed(resource);
  }
}

const keyOf = (resource: Resource): string => `${groupVersion(resource)}/${resource.plural}`;

/** Reports whether the condition is True. */
export function isTrue({ status }: CustomResourceDefinition, type: string): boolean {
  return status?.conditions?.some((one) => one.type === type && one.status === 'True') ?? false;
}

function servedAlike(a: CustomResourceDefinition, b: CustomResourceDefinition): boolean {
  return describedAlike(a, b) && isTrue(a, 'Terminating') === isTrue(b, 'Terminating');
}

function describedAlike(a: CustomResourceDefinition, b: CustomResourceDefinition): boolean {
  return (
    deepEqual(a.spec, b.spec) &&
    deepEqual(a.status.acceptedNames, b.status.acceptedNames) &&
    isTrue(a, 'Established') === isTrue(b, 'Established')
  );
}

/** Returns the resources of an established definition, one for each served version. */
export function resourcesOf(definition: CustomResourceDefinition): readonly Resource[] {
  return versionsOf(definition)
    .filter(({ version }) => version.served)
    .map(({ resource }) => resource)
    .sort((a, b) => compareVersions(a.version, b.version));
}

/** Returns the resource in the stored version, also if that version is not served. */
export function storedOf(definition: CustomResourceDefinition): Resource {
  const found = versionsOf(definition).find(({ version }) => version.storage);
  if (!found) throw new Error(`${definition.metadata.name} has no storage version.`);
  return found.resource;
}

interface Version {
  readonly version: CustomResourceDefinitionVersion;
  readonly resource: Resource;
}

/** The verbs of a custom resource in the order of discovery. */
const VERBS: readonly Verb[] = [
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'create',
  'update',
  'watch',
];

/** The {@link VERBS} of a terminating definition. Updates still work although discovery does not list them. */
const LAST_VERBS: readonly Verb[] = ['delete', 'deletecollection', 'get', 'list', 'watch'];

function versionsOf(definition: CustomResourceDefinition): readonly Version[] {
  const { spec, status } = definition;
  const { group, scope, versions, conversion } = spec;
  const webhook = conversion?.strategy === 'Webhook' ? conversion.webhook : undefined;
  const isTerminating = isTrue(definition, 'Terminating');
  const names = status.acceptedNames ?? spec.names;
  const storage = versions.find((version) => version.storage) as CustomResourceDefinitionVersion;
  const describe = (version: CustomResourceDefinitionVersion): Resource => {
    const subresources: Subresource[] = [
      ...(version.subresources?.status ? (['status'] as const) : []),
      ...(version.subresources?.scale ? (['scale'] as const) : []),
    ];
    return defineResource(`${group}/${version.name}`, names.kind, names.plural, {
      singular: names.singular ?? '',
      namespaced: scope === 'Namespaced',
      shortNames: names.shortNames ?? [],
      categories: names.categories ?? [],
      subresources,
      verbs: isTerminating ? LAST_VERBS : VERBS,
      ...(names.listKind && { listKind: names.listKind }),
    });
  };
  const stored = describe(storage);
  return versions.map((version) => {
    const resource = version === storage ? stored : describe(version);
    const schema = version.schema?.openAPIV3Schema ?? {};
    setCustomVersion(resource, {
      kind: withDeprecation(customKind(resource, version, schema, stored), version, spec),
      schema,
      columns: columnsOfDefinition(version.additionalPrinterColumns),
      isTerminating,
      ...(webhook && { webhook }),
    });
    return { version, resource };
  });
}

/** Upstream: kubernetes/apiextensions-apiserver@v0.36.3 pkg/apiserver/customresource_handler.go defaultDeprecationWarning */
function withDeprecation(
  kind: Kind,
  { name, deprecated, deprecationWarning }: CustomResourceDefinitionVersion,
  { group, names, versions }: CustomResourceDefinitionSpec,
): Kind {
  if (!deprecated) return kind;
  if (deprecationWarning) return { ...kind, deprecation: deprecationWarning };
  const [newer] = versions
    .filter((version) => version.served && !version.deprecated && compareVersions(version.name, name) < 0)
    .map((version) => version.name)
    .sort(compareVersions);
  const instead = newer ? `; use ${group}/${newer} ${names.kind}` : '';
  return { ...kind, deprecation: `${group}/${name} ${names.kind} is deprecated${instead}` };
}

const compareTexts = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

/**
 * Compares versions, the newest and most stable first: v2, v1, v2beta1, v1alpha1, and then others in alphabetical
 * order.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/version/helpers.go CompareKubeAwareVersionStrings
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [ranks(a), ranks(b)];
  if (!left || !right) return left ? -1 : right ? 1 : compareTexts(a, b);
  const different = left.findIndex((rank, i) => rank !== right[i]);
  return different < 0 ? 0 : (right[different] as number) - (left[different] as number);
}

function ranks(version: string): readonly number[] | undefined {
  const [, major, stage, minor = '0'] = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/.exec(version) ?? [];
  if (major === undefined) return undefined;
  return [stage === undefined ? 2 : stage === 'beta' ? 1 : 0, Number(major), Number(minor)];
}
