import type { Subject } from '../../../protocol/details.ts';
import type { ClusterView, ComponentView, PodView } from '../../../protocol/view.ts';
import { apiserverMenu } from './apiserver.ts';
import { deploymentMenu } from './deployment.ts';
import type { MenuSection } from './menu.ts';
import { nodeMenu } from './node.ts';
import { objectMenu } from './object.ts';
import { podMenu } from './pod.ts';
import { processMenu } from './process.ts';
import { hostMenu, serviceMenu } from './service.ts';

/**
 * Returns the menu of a subject at the present moment of the run. A subject that does not exist any more has an empty menu, and so have
 * messages and requests.
 */
export function menuOf(subject: Subject, view: ClusterView): readonly MenuSection[] {
  switch (subject.kind) {
    case 'component': {
      const component = componentsIn(view).find(({ name }) => name === subject.name);
      if (component) return processMenu(component);
      // The connection of the prompt is a target of faults as well.
      return subject.name === KUBECTL ? processMenu({ name: KUBECTL, caches: [] }) : [];
    }
    case 'node': {
      const node = view.nodes.find(({ name }) => name === subject.name);
      return node ? nodeMenu(node) : [];
    }
    case 'apiserver':
      return apiserverMenu(subject);
    case 'object':
      return menuOfObject(subject, view);
    case 'host':
      return hostMenu(subject.name, view);
    case 'message':
    case 'request':
      return [];
  }
}

const KUBECTL = 'kubectl';

function menuOfObject(
  { resource, key }: Extract<Subject, { kind: 'object' }>,
  view: ClusterView,
): readonly MenuSection[] {
  const isOwn = (one: { readonly namespace: string; readonly name: string }): boolean =>
    `${one.namespace}/${one.name}` === key;
  switch (resource) {
    case 'pods': {
      const pod = podsIn(view).find(isOwn);
      return pod ? podMenu(pod) : [];
    }
    case 'deployments.apps': {
      const deployment = view.deployments.find(isOwn);
      return deployment ? deploymentMenu(deployment, view) : [];
    }
    case 'services': {
      const service = view.services.find(isOwn);
      return service ? serviceMenu(service, view) : [];
    }
    case 'nodes':
      return menuOf({ kind: 'node', name: key }, view);
    default:
      return objectMenu(resource, key);
  }
}

function componentsIn({ components, nodes }: ClusterView): readonly ComponentView[] {
  return [...components, ...nodes.flatMap((node) => node.components)];
}

function podsIn({ nodes, pending }: ClusterView): readonly PodView[] {
  return [...nodes.flatMap(({ pods }) => pods), ...pending];
}
