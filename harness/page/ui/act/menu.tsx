import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Subject } from '../../protocol/details.ts';
import type { ClusterView } from '../../protocol/view.ts';
import { type Act, sayAct } from './act.ts';
import type { ActSession } from './act-session.ts';
import { defaultsOf } from './input.ts';
import { MenuForm } from './menu-form.tsx';
import type { MenuItem } from './menus/menu.ts';
import { menuOf } from './menus/menu-of.ts';
import { nameOf } from './menus/name-of.ts';
import { actTexts } from './texts.ts';

const { menu: texts } = actTexts;

/** Properties of a {@link Menu}. */
export interface MenuProps {
  readonly subject: Subject;
  /** The box beside which the menu opens. */
  readonly at: DOMRect;
  readonly view: ClusterView;
  /** Number of moments and actions after the present: an action drops them. */
  readonly later: number;
  readonly session: ActSession;
  /** Called when the menu has closed. The browser has given the focus back. */
  readonly onClose: () => void;
  /** Called before an item types a command whose output the reader wants to see. */
  readonly onPrompt?: () => void;
}

/**
 * The menu of a subject: its commands and its faults. The page has one at most; give it a `key` that changes with the
 * subject.
 */
export function Menu({ subject, at, view, later, session, onClose, onPrompt }: MenuProps) {
  const panel = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const label = nameOf(subject);
  const sections = menuOf(subject, view);
  const items = sections.flatMap((section) => section.items);
  const form = items.find(({ id }) => id === chosen);

  // The browser closes a popover at Escape and at a click elsewhere.
  useEffect(() => {
    const element = panel.current;
    if (!element) return;
    const onToggle = (event: Event): void => {
      if ((event as ToggleEvent).newState === 'closed') onClose();
    };
    element.addEventListener('toggle', onToggle);
    element.showPopover();
    // Before, it had no size.
    place(element, at);
    return () => element.removeEventListener('toggle', onToggle);
  }, []);
  useLayoutEffect(() => {
    const element = panel.current;
    if (element) place(element, at);
  });
  useEffect(() => {
    panel.current
      ?.querySelector<HTMLElement>('.act-items button, .act-form input, .act-form select')
      ?.focus();
  }, [chosen]);

  const perform = async (act: Act): Promise<void> => {
    if ('line' in act) {
      panel.current?.hidePopover();
      if (act.opensPrompt) onPrompt?.();
      await session.perform(act);
      return;
    }
    const why = await session.perform(act);
    if (why === undefined) panel.current?.hidePopover();
    else setFailure(why);
  };
  const choose = (item: MenuItem): void => {
    setFailure(undefined);
    if (item.inputs.length > 0) setChosen(item.id);
    else void perform(item.act({}));
  };

  return (
    <div
      ref={panel}
      popover="auto"
      class="act-menu"
      role="dialog"
      aria-label={texts.open(label)}
      onKeyDown={(event) => moveFocus(event, panel.current)}
    >
      <h2>{label}</h2>
      {later > 0 && <p class="act-note">{texts.drops(later)}</p>}
      {failure !== undefined && (
        <p class="act-error" role="alert">
          {'✗ '}
          {failure}
        </p>
      )}
      {form ? (
        <MenuForm item={form} onBack={() => setChosen(undefined)} onAct={(act) => void perform(act)} />
      ) : (
        sections.map(({ heading, items: own }) => (
          <section key={heading}>
            <h3>{heading}</h3>
            <ul class="act-items">
              {own.map((item) => (
                <li key={item.id}>
                  <button type="button" onClick={() => choose(item)}>
                    <span>{item.label}</span>
                    <small>{sayAct(item.act(defaultsOf(item.inputs)))}</small>
                  </button>
                </li>
              ))}
            </ul>
          </section>
        ))
      )}
      {sections.length === 0 && <p>{texts.none}</p>}
    </div>
  );
}

/** The space between the menu and the edges of the window, in px. */
const MARGIN = 8;

/** Places the menu below a box, or above it, within the window. */
function place(menu: HTMLElement, at: DOMRect): void {
  const { width, height } = menu.getBoundingClientRect();
  const left = Math.min(at.left, innerWidth - width - MARGIN);
  const below = at.bottom + 2;
  const top =
    below + height + MARGIN <= innerHeight
      ? below
      : Math.max(at.top - height - 2, innerHeight - height - MARGIN);
  menu.style.left = `${Math.max(MARGIN, left)}px`;
  menu.style.top = `${Math.max(MARGIN, top)}px`;
}

/** Moves the focus between the items by the arrow keys, and keeps the keys of the page from its form. */
function moveFocus(event: KeyboardEvent, panel: HTMLElement | null): void {
  if (event.key !== 'Escape') event.stopPropagation();
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const buttons = [...(panel?.querySelectorAll<HTMLElement>('.act-items button') ?? [])];
  const at = buttons.indexOf(document.activeElement as HTMLElement);
  if (step === undefined || at < 0) return;
  event.preventDefault();
  buttons[(at + step + buttons.length) % buttons.length]?.focus();
}
