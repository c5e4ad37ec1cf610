import { groupResource, groupVersion, type Resource, type Verb, verbsOf } from '#harness';

/** A resource, as discovery lists it. */
interface DiscoveredResource {
  readonly groupVersion: string;
  /** `pods` */
  readonly name: string;
  readonly verbs: readonly string[];
}

/** The verbs that the collector needs. It ignores resources that lack one of them. */
const NEEDED: readonly Verb[] = ['delete', 'list', 'watch'];

/**
 * Resources that the collector ignores: events are numerous and short-lived, and have no owners.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/graph_builder.go DefaultIgnoredResources
 */
const IGNORED: readonly string[] = ['events', 'events.events.k8s.io'];

/** Returns the resources that the collector watches, each in its preferred version, which discovery lists first. */
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
 * Reports whether the objects of a resource can be listed, watched and deleted. False for an invalid group and version.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/garbagecollector.go GetDeletableResources
 */
export function isDeletable({ groupVersion, verbs }: DiscoveredResource): boolean {
  return groupVersion.split('/').length <= 2 && NEEDED.every((verb) => verbs.includes(verb));
}
