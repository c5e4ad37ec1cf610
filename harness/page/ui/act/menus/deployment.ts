import type { ClusterView, DeploymentView } from '../../../protocol/view.ts';
import { actTexts } from '../texts.ts';
import { choice, command, count, promptCommand } from './items.ts';
import type { MenuSection } from './menu.ts';
import { namespaceFlag } from './namespace-flag.ts';

const { items, inputs: labels, sections } = actTexts;

/** The commands for a Deployment. */
export function deploymentMenu(
  { namespace, name, desired, isPaused }: DeploymentView,
  view: ClusterView,
): readonly MenuSection[] {
  const flag = namespaceFlag(namespace);
  const rollout = (verb: string) => `kubectl rollout ${verb} deployment/${name}${flag}`;
  const containers = containersOf(view, namespace, name);
  return [
    {
      heading: sections.commands,
      items: [
        {
          id: 'scale',
          label: items.scale,
          inputs: [count('replicas', labels.replicas, desired, 0, 1_000)],
          act: ({ replicas }) => ({
            line: `kubectl scale deployment ${name}${flag} --replicas=${replicas}`,
          }),
        },
        {
          id: 'set-image',
          label: items.setImage,
          inputs: [
            choice(
              'container',
              labels.container,
              [...containers.keys(), ...(containers.size === 0 ? ['*'] : [])].map((one) => [one, one]),
            ),
            {
              kind: 'text',
              name: 'image',
              label: labels.image,
              value: [...containers.values()][0] ?? 'nginx:1.27',
            },
          ],
          act: ({ container, image = '' }) => ({
            line: `kubectl set image deployment/${name}${flag} ${container}=${image.trim()}`,
          }),
        },
        command('restart', items.restart, rollout('restart')),
        promptCommand('status', items.status, rollout('status')),
        command('undo', items.undo, rollout('undo')),
        isPaused
          ? command('resume', items.resume, rollout('resume'))
          : command('pause', items.pause, rollout('pause')),
        promptCommand('history', items.history, rollout('history')),
        promptCommand('describe', items.describe, `kubectl describe deployment ${name}${flag}`),
        command('delete', items.delete, `kubectl delete deployment ${name}${flag}`),
      ],
    },
  ];
}

/** Returns the containers of the Deployment's pods with their images. */
function containersOf(view: ClusterView, namespace: string, name: string): ReadonlyMap<string, string> {
  const all = [...view.nodes.flatMap(({ pods }) => pods), ...view.pending];
  const own = all.filter((pod) => pod.namespace === namespace && pod.deployment === name);
  return new Map(own.flatMap(({ containers }) => containers.map((one) => [one.name, one.image] as const)));
}
