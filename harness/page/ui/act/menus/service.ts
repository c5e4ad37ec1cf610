import type { ClusterView, ServiceView } from '../../../protocol/view.ts';
import { actTexts } from '../texts.ts';
import { choice, command, promptCommand } from './items.ts';
import type { MenuItem, MenuSection } from './menu.ts';
import { namespaceFlag } from './namespace-flag.ts';

const { items, inputs: labels, sections: texts } = actTexts;

/** The host outside that sends requests. */
const OUTSIDE = 'laptop';

/** The number of Services that the menu of a host offers. */
const SERVICES_MAX = 8;

/** The requests of a host outside: to node ports, and to the addresses of other Services. */
export function hostMenu(host: string, view: ClusterView): readonly MenuSection[] {
  const isSystem = ({ namespace, name }: ServiceView): boolean =>
    namespace === 'kube-system' || `${namespace}/${name}` === 'default/kubernetes';
  const services = view.services.filter((service) => !isSystem(service)).slice(0, SERVICES_MAX);
  const [first] = services;
  const sections: readonly MenuSection[] = [
    {
      heading: texts.outside,
      items: services.map((service) => {
        const key = `${service.namespace}/${service.name}`;
        const url = outsideUrlOf(service, view) ?? urlOf(service);
        return request(`request ${key}`, items.requestTo(key), { from: [host], url });
      }),
    },
    { heading: texts.inside, items: first ? [curl(first)] : [] },
  ];
  return sections.filter((section) => section.items.length > 0);
}

/** The requests and commands for a Service. */
export function serviceMenu(service: ServiceView, view: ClusterView): readonly MenuSection[] {
  const { namespace, name } = service;
  const flag = namespaceFlag(namespace);
  const nodes = view.nodes.map((node) => node.name);
  const pods = view.nodes.flatMap((node) => node.pods).filter(({ phase }) => phase === 'Running');
  const outside = outsideUrlOf(service, view);
  return [
    {
      heading: texts.requests,
      items: [
        request('request', items.request, {
          from: [...pods.map((pod) => pod.name), ...nodes, OUTSIDE],
          url: urlOf(service),
        }),
        curl(service),
        ...(outside === undefined
          ? []
          : [request('request-outside', items.requestOutside, { from: [OUTSIDE], url: outside })]),
      ],
    },
    {
      heading: texts.commands,
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

/** An item that sends a request from a new pod, as the prompt does. */
function curl(service: ServiceView): MenuItem {
  return promptCommand('curl', items.curl, `curl ${urlOf(service)}`);
}

/** Returns the URL of a Service by its name, which only the cluster knows. */
function urlOf(service: ServiceView): string {
  const { namespace, name } = service;
  const { port } = portsOf(service);
  return `http://${namespace === 'default' ? name : `${name}.${namespace}`}${port === '80' ? '' : `:${port}`}`;
}

/** Returns the URL of a Service from outside: its node port on the first node; undefined if it has none. */
function outsideUrlOf(service: ServiceView, { nodes: [node] }: ClusterView): string | undefined {
  const { nodePort } = portsOf(service);
  return nodePort === undefined || node === undefined ? undefined : `http://${node.name}:${nodePort}`;
}

/** Returns the first TCP port, and its node port if it has one: `80:30080/TCP`. */
function portsOf({ ports }: ServiceView): { readonly port: string; readonly nodePort?: string } {
  const [, port = '80', nodePort] =
    /^(\d+)(?::(\d+))?\/TCP$/.exec(ports.find((one) => one.endsWith('/TCP')) ?? '') ?? [];
  return { port, ...(nodePort !== undefined && { nodePort }) };
}
