import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Subject } from '../../protocol/details.ts';
import type { ClusterView } from '../../protocol/view.ts';
import { type Act, sayAct } from './act.ts';
import type { ActSession } from './act-session.ts';
import { defaultsOf } from './input.ts';
import { MenuForm } from './menu-form.tsx';
import type { MenuItem } from './menus/menu.ts';
import { menuOf } from './menus/menu-of.ts';
import { actTexts } from './texts.ts';

const { menu: texts } = actTexts;

/** A menu to open: of a subject, beside an element. */
export interface OpenMenu {
  readonly subject: Subject;
  /** The name of the subject, as its box shows it: `Pod default/web-1`. */
  readonly label: string;
  /** The element beside which the menu opens. It receives the focus when the menu closes. */
  readonly anchor: HTMLElement;
}

/** Properties of a {@link Menu}. */
export interface MenuProps {
  readonly open: OpenMenu;
  readonly view: ClusterView;
  readonly session: ActSession;
  /** Called when the menu has closed. */
  readonly onClose: () => void;
  /** Called when an item types a command: its output appears in the prompt. */
  readonly onCommand?: () => void;
}

/**
 * The menu of a subject: its commands and its faults. The page has one at most; give it a `key` that changes with the
 * subject.
 */
export function Menu({ open, view, session, onClose, onCommand }: MenuProps) {
  const { subject, label, anchor } = open;
  const panel = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const sections = menuOf(subject, view);
  const items = sections.flatMap((section) => section.items);
  const form = items.find(({ id }) => id === chosen);

  // The browser closes a popover at Escape and at a click elsewhere.
  useEffect(() => {
    const element = panel.current;
    if (!element) return;
    const onToggle = (event: Event): void => {
      if ((event as ToggleEvent).newState !== 'closed') return;
      anchor.focus();
      onClose();
    };
    element.addEventListener('toggle', onToggle);
    element.showPopover();
    return () => element.removeEventListener('toggle', onToggle);
  }, []);
  useLayoutEffect(() => {
    const element = panel.current;
    if (element) place(element, anchor);
  });
  useEffect(() => {
    panel.current
      ?.querySelector<HTMLElement>('.act-items button, .act-form input, .act-form select')
      ?.focus();
  }, [chosen]);

  const perform = async (act: Act): Promise<void> => {
    if ('line' in act) {
      panel.current?.hidePopover();
      onCommand?.();
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

/** Properties of a {@link MenuButton}. */
interface MenuButtonProps {
  readonly subject: Subject;
  readonly label: string;
  readonly onOpen: (menu: OpenMenu) => void;
}

/** The button on a box that opens its menu. */
export function MenuButton({ subject, label, onOpen }: MenuButtonProps) {
  return (
    <button
      type="button"
      class="act-menu-button"
      aria-haspopup="dialog"
      aria-label={texts.open(label)}
      title={texts.open(label)}
      onClick={(event) => {
        event.stopPropagation();
        onOpen({ subject, label, anchor: event.currentTarget });
      }}
    >
      ⋯
    </button>
  );
}

/** The space between the menu and the edges of the window, in px. */
const MARGIN = 8;

/** Places the menu below its anchor, or above it, within the window. */
function place(menu: HTMLElement, anchor: HTMLElement): void {
  const at = anchor.getBoundingClientRect();
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
