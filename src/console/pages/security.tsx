/** The operator's password. */
import { Page, Section } from "../parts/page.tsx";
import { words } from "../words/index.ts";
import { PasswordForm } from "./set-password.tsx";

export function SecurityPage({ hasPassword, onPasswordSet }: { hasPassword: boolean; onPasswordSet: () => void }) {
  const w = words.password;
  return (
    <Page title={words.titles.security} lead={w.lead}>
      <Section title={hasPassword ? w.change : w.first} lead={hasPassword ? w.forgotten : w.why}>
        <div class="narrow">
          <PasswordForm asksCurrent={hasPassword} onDone={onPasswordSet} />
        </div>
      </Section>
    </Page>
  );
}
