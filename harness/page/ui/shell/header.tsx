import { repositoryOf } from '../repository.ts';
import type { Settings } from '../settings.ts';
import { texts } from '../texts.ts';

/** Properties of the header. */
export interface HeaderProps {
  readonly theme: Settings['theme'];
  readonly onTheme: () => void;
  readonly onHelp: () => void;
}

/** The name of the project, and the buttons that belong to no part of the page. */
export function Header({ theme, onTheme, onHelp }: HeaderProps) {
  const repository = repositoryOf(location);
  return (
    <header class="header">
      <h1>{texts.title}</h1>
      <p class="subtitle">{texts.subtitle}</p>
      <nav>
        {repository && <a href={`${repository}#readme`}>{texts.repository}</a>}
        <button type="button" class="link" onClick={onTheme} title="t">
          {texts.theme[theme]}
        </button>
        <button type="button" class="link" onClick={onHelp} title="?">
          {texts.help.open}
        </button>
      </nav>
    </header>
  );
}
