import { groupResource, groupVersion, type Resource, type Verb, verbsOf } from '#harness';

/** A resource, as discovery tells of it. */
interface DiscoveredResource {
  readonly groupVersion: string;
  /** `pods` */
  readonly name: string;
  readonly verbs: readonly string[];
}

/** What the collector must be able to do with a resource, or it leaves it alone. */
const NEEDED: readonly Verb[] = ['delete', 'list', 'watch'];

/**
 * Events are many and short-lived, and have no owners.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/graph_builder.go DefaultIgnoredResources
 */
const IGNORED: readonly string[] = ['events', 'events.events.k8s.io'];

/** The resources whose objects the collector looks after: each in the version that is preferred, which discovery tells first. */
export function resourcesToWatch(served: readonly Resource[]): readonly Resource[] {
  const preferred = new Map(served.toReversed().map((resource) => [groupResource(resource), resource]));
  return served.filter(
    (resource) =>
      preferred.get(groupResource(resource)) === resource &&
      isDeletable({
        groupVersion: groupVersion(resource),
        name: resource.plural,
        verbs: verbsOf(resource),
      }) &&
      !IGNORED.includes(groupResource(resource)),
  );
}

/**
 * Can its objects be listed, watched and deleted? One whose group and version make no sense is passed over.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/garbagecollector.go GetDeletableResources
 */
export function isDeletable({ groupVersion, verbs }: DiscoveredResource): boolean {
  return groupVersion.split('/').length <= 2 && NEEDED.every((verb) => verbs.includes(verb));
}
