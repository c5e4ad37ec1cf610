import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Subject } from '../../protocol/details.ts';
import type { ClusterView, PodView } from '../../protocol/view.ts';
import { usePage, useRun } from '../page-context.ts';
import type { Settings } from '../settings.ts';
import { subjectKey, subjectOf } from '../subject-key.ts';
import { texts } from '../texts.ts';
import { Between } from './between.tsx';
import { BoxTip } from './box-tip.tsx';
import { ControlPlane } from './control-plane.tsx';
import { type Density, densityOf } from './density.ts';
import { MarkPainter } from './mark-painter.ts';
import { NodeBox } from './node-box.tsx';
import { noMarks, type OwnerMarks, ownerMarks } from './owner-marks.ts';
import { Places } from './places.ts';
import { boxInDirection, directions } from './spatial-focus.ts';
import { usePacketWay } from './use-packet-way.ts';
import { Workloads } from './workloads.tsx';

/** Properties of the picture. */
export interface ClusterPictureProps {
  readonly subject: Subject | undefined;
  readonly settings: Settings;
  /** The speed that the reader has chosen. */
  readonly speed: number;
}

const emptyView: ClusterView = {
  atMs: 0,
  revision: 0,
  apiservers: [{ index: 0, isUp: true, cacheRevision: 0 }],
  components: [],
  nodes: [],
  pending: [],
  deployments: [],
  workloads: [],
  services: [],
  faults: [],
};

/** The picture of the cluster: boxes, the wires between them, and the marks that travel along the wires. */
export function ClusterPicture({ subject, settings, speed }: ClusterPictureProps) {
  const { store } = usePage();
  const view = useRun(({ view }) => view) ?? emptyView;
  const root = useRef<HTMLDivElement>(null);
  const wires = useRef<HTMLCanvasElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const painter = useRef<MarkPainter | undefined>(undefined);
  const latest = useRef({ settings, speed });
  latest.current = { settings, speed };
  const before = useRef(noMarks);
  const marks = useMemo(() => ownerMarks(view, before.current), [view.deployments, view.workloads]);
  before.current = marks;

  useEffect(() => {
    if (!root.current || !wires.current || !canvas.current) return;
    const still = matchMedia('(prefers-reduced-motion: reduce)');
    const places = new Places(root.current, (pod) => nodeOf(store.state.view, pod));
    const one = new MarkPainter({
      wires: wires.current,
      marks: canvas.current,
      places,
      showsBackground: () => latest.current.settings.showsBackground,
      isStill: () => still.matches,
    });
    painter.current = one;
    const leave = store.onMessages((frame) =>
      one.take(frame, frame.speed > 0 ? frame.speed : latest.current.speed),
    );
    const observer = new ResizeObserver(() => one.moved());
    for (const part of [root.current, ...root.current.children]) observer.observe(part);
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const recolour = () => one.recoloured();
    dark.addEventListener('change', recolour);
    return () => {
      leave();
      dark.removeEventListener('change', recolour);
      observer.disconnect();
      one.stop();
    };
  }, [store]);

  useLayoutEffect(() => {
    if (root.current) markCurrent(root.current, subject);
  }, [view, subject]);
  const way = usePacketWay(subject);
  useEffect(() => painter.current?.showWay(way), [way]);
  const shape = useMemo(() => shapeOf(view), [view]);
  useLayoutEffect(() => painter.current?.moved(), [shape]);
  useLayoutEffect(() => painter.current?.recoloured(), [settings.theme]);

  return (
    <div class="picture" ref={root} {...useBoxEvents(root)}>
      <canvas class="wires" ref={wires} />
      <ControlPlane
        components={view.components}
        apiservers={view.apiservers}
        revision={view.revision}
        atMs={view.atMs}
      />
      <Between pending={view.pending} faults={view.faults} marks={marks} />
      <Workloads
        deployments={view.deployments}
        workloads={view.workloads}
        services={view.services}
        marks={marks}
      />
      <Nodes view={view} marks={marks} />
      <canvas class="marks" ref={canvas} />
      <BoxTip picture={root} />
    </div>
  );
}

/** The nodes, as dense as their area asks for. */
function Nodes({ view, marks }: { readonly view: ClusterView; readonly marks: OwnerMarks }) {
  const area = useRef<HTMLElement>(null);
  const [size, setSize] = useState({ width: 700, height: 400 });
  useLayoutEffect(() => {
    const element = area.current;
    if (!element) return;
    const measure = () => setSize({ width: element.clientWidth, height: roomBelow(element) });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const count = view.nodes.length;
  // In steps of two, so that one pod more or less rarely changes the arrangement.
  const fullest = 2 * Math.ceil(Math.max(0, ...view.nodes.map(({ pods }) => pods.length)) / 2);
  const hasTaints = view.nodes.some(({ taints }) => taints.length > 0);
  const density = useMemo<Density>(
    () => densityOf({ ...size, nodes: count, pods: fullest, hasTaints }),
    [size.width, size.height, count, fullest, hasTaints],
  );
  return (
    <section
      ref={area}
      class="nodes"
      aria-label={texts.regions.nodes}
      style={{ '--columns': density.columns, '--cell': `${density.cell}px` }}
    >
      <h2 class="sr-only">{texts.regions.nodes}</h2>
      {view.nodes.map((node) => (
        <NodeBox key={node.name} node={node} density={density} marks={marks} />
      ))}
    </section>
  );
}

/** The height of the area of the nodes. Where the page scrolls, nodes may be as high as they need. */
function roomBelow(element: HTMLElement): number {
  return getComputedStyle(element).overflowY === 'visible' ? 4000 : element.clientHeight;
}

const boxOf = ({ target }: Event): HTMLElement | undefined =>
  (target as HTMLElement).closest<HTMLElement>('.box') ?? undefined;

/** The events of all boxes: press, menu, and moves by arrow keys. The box that had the focus last has the tab stop. */
function useBoxEvents(root: { readonly current: HTMLDivElement | null }) {
  const { select, openMenu, openDrawer } = usePage();

  useLayoutEffect(() => {
    // Boxes are drawn without a tab stop: the first gets it.
    if (!root.current?.querySelector('.box[tabindex="0"]'))
      root.current?.querySelector('.box')?.setAttribute('tabindex', '0');
  });

  const menu = (box: HTMLElement): boolean => {
    const subject = subjectOf(box.dataset.subject ?? box.dataset.menu ?? '');
    if (subject) openMenu(subject, box.getBoundingClientRect());
    return subject !== undefined;
  };

  return {
    onClick: (event: MouseEvent) => {
      const box = boxOf(event);
      if (!box) return;
      const { subject = '', drawer, menu = '' } = box.dataset;
      const [shown, acted] = [subjectOf(subject), subjectOf(menu)];
      if (shown) select(shown);
      else if (acted) openMenu(acted, box.getBoundingClientRect());
      else if (drawer) openDrawer(drawer);
    },
    onContextMenu: (event: MouseEvent) => {
      const box = boxOf(event);
      if (box && menu(box)) event.preventDefault();
    },
    onFocusIn: (event: FocusEvent) => {
      const box = boxOf(event);
      if (!box || !root.current) return;
      for (const one of root.current.querySelectorAll('.box[tabindex="0"]'))
        one.setAttribute('tabindex', '-1');
      box.setAttribute('tabindex', '0');
    },
    onKeyDown: (event: KeyboardEvent) => {
      const box = boxOf(event);
      const direction = directions[event.key];
      if (!box || !root.current || event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.key === 'm' && menu(box)) event.preventDefault();
      if (!direction) return;
      event.preventDefault();
      const boxes = [...root.current.querySelectorAll<HTMLElement>('.box')].filter((one) => one !== box);
      const at = boxInDirection(
        boxes.map((one) => one.getBoundingClientRect()),
        box.getBoundingClientRect(),
        direction,
      );
      if (at !== undefined) boxes[at]?.focus();
    },
  };
}

/** The boxes of a view in their order. While they stay the same, no box moves, unless a part of the picture changes its size. */
function shapeOf({ nodes, components, pending, deployments, workloads, services }: ClusterView): string {
  const pods = (list: readonly PodView[]): string => list.map(({ uid }) => uid).join();
  return [
    components.filter(({ waitsFor }) => waitsFor === undefined).length,
    pods(pending),
    // A process that is behind has a wider chip.
    ...nodes.map(
      (node) => `${node.name} ${node.components.map(({ state, behind }) => `${state} ${behind}`)}`,
    ),
    ...nodes.map((node) => pods(node.pods)),
    ...deployments.map(({ name, replicaSets }) => `${name} ${replicaSets.length}`),
    ...workloads.map(({ kind, name, state }) => `${kind} ${name} ${state}`),
    ...services.map(({ name, endpoints }) => `${name} ${endpoints.length}`),
  ].join('; ');
}

/** Marks the box of the subject in the panel. Boxes do not know it, so that a selection draws none of them again. */
function markCurrent(root: HTMLElement, subject: Subject | undefined): void {
  for (const one of root.querySelectorAll('[aria-current]')) one.removeAttribute('aria-current');
  if (!subject) return;
  root
    .querySelector(`[data-subject="${CSS.escape(subjectKey(subject))}"]`)
    ?.setAttribute('aria-current', 'true');
}

function nodeOf(view: ClusterView | undefined, pod: string): string | undefined {
  return view?.nodes.find(({ pods }) => pods.some(({ namespace, name }) => `${namespace}/${name}` === pod))
    ?.name;
}
