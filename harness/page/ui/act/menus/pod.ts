import type { PodView } from '../../../protocol/view.ts';
import { actTexts } from '../texts.ts';
import { choice, command, promptCommand } from './items.ts';
import type { MenuItem, MenuSection } from './menu.ts';
import { namespaceFlag } from './namespace-flag.ts';

const { items, inputs: labels, sections } = actTexts;

/** The commands for a pod. */
export function podMenu({ namespace, name, containers, restarts }: PodView): readonly MenuSection[] {
  const flag = namespaceFlag(namespace);
  return [
    {
      heading: sections.commands,
      items: [
        promptCommand('describe', items.describe, `kubectl describe pod ${name}${flag}`),
        inContainer('logs', items.logs, containers, (on) => `kubectl logs ${name}${flag}${on}`),
        ...(restarts > 0
          ? [
              inContainer(
                'previous-logs',
                items.previousLogs,
                containers,
                (on) => `kubectl logs ${name}${flag}${on} --previous`,
              ),
            ]
          : []),
        inContainer(
          'shell',
          items.shell,
          containers.filter(({ state }) => state === 'running'),
          (on) => `kubectl exec -it ${name}${flag}${on} -- sh`,
        ),
        command('delete', items.delete, `kubectl delete pod ${name}${flag}`),
        command('delete-now', items.deleteNow, `kubectl delete pod ${name}${flag} --grace-period=0 --force`),
      ],
    },
  ];
}

/** An item for one container: the user chooses it if the pod has several. */
function inContainer(
  id: string,
  label: string,
  containers: PodView['containers'],
  lineOf: (flag: string) => string,
): MenuItem {
  if (containers.length < 2) return promptCommand(id, label, lineOf(''));
  const main = [...containers].sort((a, b) => Number(b.kind === 'main') - Number(a.kind === 'main'));
  return {
    id,
    label: `${label} …`,
    inputs: [
      choice(
        'container',
        labels.container,
        main.map(({ name }) => [name, name]),
      ),
    ],
    act: ({ container }) => ({ line: lineOf(` -c ${container}`), opensPrompt: true }),
  };
}
