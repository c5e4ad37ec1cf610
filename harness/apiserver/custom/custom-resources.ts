import type { CustomResourceDefinitionVersion } from '#api/apiextensions/v1';
import { defineResource } from '../../api/define-resource.ts';
import type { CustomResourceDefinition, KubeObject } from '../../api/objects.ts';
import { customResourceDefinitions } from '../../api/plain-resources.ts';
import { groupVersion, type Resource, type Subresource } from '../../api/resource.ts';
import { errors } from '../../api/status.ts';
import { type Storage, sameResource } from '../storage/storage.ts';
import { customKind } from './custom-kind.ts';
import { customVersionOf, setCustomVersion } from './custom-version.ts';
import { columnsOfDefinition } from './printer-columns.ts';

/**
 * The custom resources that are served: those of the definitions that are established, version by version. A write of a
 * definition changes them at once.
 *
 * Upstream: kubernetes/apiextensions-apiserver@v0.36.3 pkg/apiserver/customresource_handler.go crdHandler
 */
export class CustomResources {
  readonly #byDefinition = new Map<string, readonly Resource[]>();
  readonly #resources = new Map<string, Resource>();
  readonly #changed: (resource: Resource) => void;

  /** @param changed - told of each resource that is served no more, or in another way */
  constructor(storage: Storage, changed: (resource: Resource) => void) {
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

  /** All of them, those of a group one after the other, its preferred version first. */
  get all(): readonly Resource[] {
    return [...this.#byDefinition.values()].flat();
  }

  /**
   * The resource as it is served. One that is built in stays what it is.
   *
   * @throws StatusError NotFound for a custom resource that is served no more
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
    const name = (definition ?? before)?.metadata.name ?? '';
    const old = this.#byDefinition.get(name) ?? [];
    for (const resource of old) this.#resources.delete(keyOf(resource));
    this.#byDefinition.delete(name);
    if (definition && isTrue(definition, 'Established')) {
      const resources = resourcesOf(definition);
      this.#byDefinition.set(name, resources);
      for (const resource of resources) this.#resources.set(keyOf(resource), resource);
    }
    for (const resource of old) this.#changed(resource);
  }
}

const keyOf = (resource: Resource): string => `${groupVersion(resource)}/${resource.plural}`;

/** Is the condition met? */
export function isTrue({ status }: CustomResourceDefinition, type: string): boolean {
  return status?.conditions?.some((one) => one.type === type && one.status === 'True') ?? false;
}

function servedAlike(a: CustomResourceDefinition, b: CustomResourceDefinition): boolean {
  return (
    a.spec === b.spec &&
    a.status.acceptedNames === b.status.acceptedNames &&
    isTrue(a, 'Established') === isTrue(b, 'Established') &&
    a.metadata.deletionTimestamp === b.metadata.deletionTimestamp
  );
}

/** The resources that a definition makes, once it is established: one for each version that is served. */
export function resourcesOf({ spec, status, metadata }: CustomResourceDefinition): readonly Resource[] {
  const { group, scope, versions } = spec;
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
      // Nothing new comes while everything goes.
      ...(metadata.deletionTimestamp && {
        verbs: ['delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      }),
    });
  };
  const stored = describe(storage);
  const made = versions.map((version) => {
    const resource = version === storage ? stored : describe(version);
    const schema = version.schema?.openAPIV3Schema ?? {};
    setCustomVersion(resource, {
      kind: customKind(resource, version, schema, stored),
      schema,
      columns: columnsOfDefinition(version.additionalPrinterColumns),
    });
    return { resource, served: version.served };
  });
  return made
    .filter(({ served }) => served)
    .map(({ resource }) => resource)
    .sort((a, b) => compareVersions(a.version, b.version));
}

/**
 * The newest and most stable first: v2, v1, v2beta1, v1alpha1, and then all others by the alphabet.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/version/helpers.go CompareKubeAwareVersionStrings
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [ranks(a), ranks(b)];
  if (!left || !right) return left ? -1 : right ? 1 : a < b ? -1 : 1;
  const different = left.findIndex((rank, i) => rank !== right[i]);
  return different < 0 ? 0 : (right[different] as number) - (left[different] as number);
}

function ranks(version: string): readonly number[] | undefined {
  const [, major, stage, minor = '0'] = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/.exec(version) ?? [];
  if (major === undefined) return undefined;
  return [stage === undefined ? 2 : stage === 'beta' ? 1 : 0, Number(major), Number(minor)];
}
