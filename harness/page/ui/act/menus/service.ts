import type { ClusterView, ServiceView } from '../../../protocol/view.ts';
import { actTexts } from '../texts.ts';
import { choice, command, promptCommand } from './items.ts';
import type { MenuItem, MenuSection } from './menu.ts';
import { namespaceFlag } from './namespace-flag.ts';

const { items, inputs: labels, sections } = actTexts;

/** The host outside that sends requests. */
const OUTSIDE = 'laptop';

/** The requests and commands for a Service. */
export function serviceMenu(service: ServiceView, view: ClusterView): readonly MenuSection[] {
  const { namespace, name } = service;
  const flag = namespaceFlag(namespace);
  const nodes = view.nodes.map((node) => node.name);
  const pods = view.nodes.flatMap((node) => node.pods).filter(({ phase }) => phase === 'Running');
  const { port, nodePort } = portsOf(service);
  const host = namespace === 'default' ? name : `${name}.${namespace}`;
  return [
    {
      heading: sections.requests,
      items: [
        request('request', items.request, {
          from: [...pods.map((pod) => pod.name), ...nodes, OUTSIDE],
          url: `http://${host}${port === '80' ? '' : `:${port}`}`,
        }),
        ...(nodePort === undefined || nodes[0] === undefined
          ? []
          : [
              request('request-outside', items.requestOutside, {
                from: [OUTSIDE],
                url: `http://${nodes[0]}:${nodePort}`,
              }),
            ]),
      ],
    },
    {
      heading: sections.commands,
      items: [
        promptCommand('describe', items.describe, `kubectl describe service ${name}${flag}`),
        command('delete', items.delete, `kubectl delete service ${name}${flag}`),
      ],
    },
  ];
}

function request(
  id: string,
  label: string,
  { from, url }: { readonly from: readonly string[]; readonly url: string },
): MenuItem {
  return {
    id,
    label,
    inputs: [
      choice(
        'from',
        labels.from,
        from.map((one) => [one, one]),
      ),
      { kind: 'text', name: 'url', label: labels.url, value: url },
    ],
    act: (values) => ({
      action: { do: 'request', from: values.from ?? OUTSIDE, url: (values.url ?? url).trim() },
    }),
  };
}

/** Returns the first TCP port, and its node port if it has one: `80:30080/TCP`. */
function portsOf({ ports }: ServiceView): { readonly port: string; readonly nodePort?: string } {
  const [, port = '80', nodePort] =
    /^(\d+)(?::(\d+))?\/TCP$/.exec(ports.find((one) => one.endsWith('/TCP')) ?? '') ?? [];
  return { port, ...(nodePort !== undefined && { nodePort }) };
}
