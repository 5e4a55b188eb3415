"""What may be done with the rule graphs of a home's hub: the one list of operations that every face calls."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC

from zhixing.graphs.checks.checking import check
from zhixing.graphs.checks.finding import Profile, Verdict
from zhixing.graphs.checks.variables_shape import GLOBAL
from zhixing.graphs.drafts.hub import HubCommitting
from zhixing.graphs.drafts.operations import Drafts
from zhixing.graphs.explaining.replaying import NOWHERE, Replay, replay_log
from zhixing.graphs.expressions.elements import Variable
from zhixing.graphs.hubs import creating, deploying, updating
from zhixing.graphs.hubs.asking import AllRules, DevicesFound, Reader
from zhixing.graphs.hubs.calling import call_read
from zhixing.graphs.hubs.conflicts import Contest, find_contests
from zhixing.graphs.hubs.creating import Created, NewRule
from zhixing.graphs.hubs.deploying import Deployed, Plan, RolledBack
from zhixing.graphs.hubs.diff import Diff, diff_of
from zhixing.graphs.hubs.entries import Entry
from zhixing.graphs.hubs.hub_log import HubLog, read_hub_log
from zhixing.graphs.hubs.outcomes import Outcome
from zhixing.graphs.hubs.receipts import Receipt, receipt_of
from zhixing.graphs.hubs.scopes import with_own_scope
from zhixing.graphs.hubs.updating import Change, Deleted, Updated, home_for
from zhixing.graphs.hubs.usage import DeviceUsage, find_device_usage
from zhixing.graphs.hubs.variables import Variables
from zhixing.graphs.logs import Log
from zhixing.graphs.rule import Json, Node, Rule
from zhixing.graphs.session import Session
from zhixing.graphs.shelf import Kept, Shelf
from zhixing.graphs.simulating.script import Script
from zhixing.graphs.specs.home import Device, Home
from zhixing.graphs.specs.model import Spec
from zhixing.graphs.writing import with_id
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import Conflict
from zhixing.store.connection import Store
from zhixing.world.hub.port import CALL_SECONDS

Changed = Callable[[str, str, bool | None], None]
"""Told of a hub, a rule of it, and whether that is on now; None: it is gone."""


def _nobody(_hub: str, _rule: str, _enabled: bool | None) -> None:  # noqa: FBT001 - what became of it
    """Listen to nothing."""


@dataclass(frozen=True, slots=True)
class Known:
    """A device with what it can do; `spec` is None where that is not known."""

    device: Device
    spec: Spec | None


class Graphs:
    """The operations. Whatever writes raises what `graphs.hubs` raises; reads raise `Unavailable` without a hub."""

    def __init__(self, session: Session, store: Store, clock: Clock, *, holder: str | None = None) -> None:
        self.session = session
        self.shelf = Shelf(store)
        self.drafts = Drafts(store, clock, HubCommitting(lambda: session.hub, session.home, clock), holder=holder)
        self._clock = clock
        self._changed: Changed = _nobody

    def tell(self, changed: Changed) -> None:
        """Have somebody told of rules that were switched or deleted from now on."""
        self._changed = changed

    @property
    def variables(self) -> Variables:
        """The variables of the hub."""
        return Variables(self.session.hub)

    # Looking

    def entries(self) -> tuple[Entry, ...]:
        """Return the list of rules."""
        return self._reader().entries()

    def rule(self, name: str) -> Rule:
        """Return a rule. Raises `NotFound`."""
        return self._reader().known_rule(name)

    def rules(self) -> AllRules:
        """Return all rules, as far as they can be read."""
        return self._reader().rules()

    def devices(self) -> Mapping[str, Device]:
        """Return the devices by did."""
        return self._reader().devices()

    def find_devices(self, dids: Sequence[str]) -> DevicesFound:
        """Look devices up by did."""
        return self._reader().find_devices(dids)

    def known(self, devices: Iterable[Device]) -> tuple[Known, ...]:
        """Return devices with what they can do."""
        specs = self.session.home().specs
        return tuple(Known(each, specs.get(each.urn) if each.urn else None) for each in devices)

    def device_usage(self, dids: Sequence[str] | None = None, query: str | None = None) -> DeviceUsage:
        """Say where devices are used."""
        return find_device_usage(self.session.hub, dids, query)

    def contests(self) -> tuple[Contest, ...]:
        """Return what several rules that are on write, each its own way."""
        return find_contests(self.rules().rules)

    def log(self, rule: str | None = None) -> HubLog:
        """Return the log of the hub, of one rule or of all."""
        return read_hub_log(self.session.hub, rule)

    def now(self, rule: Rule) -> Script:
        """Return what is around a rule now, for a run of it: the time, global variables and its own, and devices.

        Of devices only the virtual hub tells what they are; with a real one that is unknown.
        """
        reader = self._reader()
        scopes = [scope for scope in reader.scopes() if scope in {GLOBAL, rule.scope}]
        found = [each for scope in scopes for each in reader.variables(scope).values()]
        return replace(
            self.session.around(rule),
            start=self._clock.now().astimezone(UTC),
            variables={Variable(each.scope, each.id): each.value for each in found if each.value is not None},
        )

    def replay(self, rule: Rule, around: Script = NOWHERE) -> Replay:
        """Hold the log of the hub against what a rule does about it."""
        found = self.log()
        return replay_log(rule, Log(found.lines, (), found.unread, cut=not found.complete), around)

    def home(self) -> Home:
        """Return the home as graphs see it: devices of the hub now, their specifications, global variables."""
        return self._reader().home(self.session.home(), ["global"])

    def call(self, method: str, params: Mapping[str, Json], seconds: float = CALL_SECONDS) -> Json:
        """Call a method that only reads. Raises `Refused` for one that writes, `BadInput` for one there is not."""
        return call_read(self.session.hub, method, params, seconds)

    # Checking

    def check_capabilities(self, rule: Rule, profile: Profile = Profile.EDITOR) -> Verdict:
        """Check a rule against what the devices of the hub can do and which variables there are."""
        return check(rule, profile, home_for(self._reader(), rule, self.session.home()))

    def check_new(self, new: NewRule, profile: Profile = Profile.EDITOR) -> Verdict:
        """Check a rule as it would be made, with the variables that come along. Nothing is written.

        Raises what making it would raise before it writes: `Conflict` for an id or a variable that is taken.
        """
        planned = creating.prepare_creation(self.session.hub, new, self.session.home(), self._clock, profile)
        return planned.verdict

    # Writing

    def create(self, new: NewRule) -> Created:
        """Make a rule."""
        return creating.create_rule(self.session.hub, new, self.session.home(), self._clock)

    def update(self, change: Change) -> Updated:
        """Change a rule; what it was is kept on the shelf first."""
        self._keep(change.id)
        updated = updating.update_rule(self.session.hub, change, self.session.home(), self._clock)
        if change.enable is not None and updated.outcome is Outcome.APPLIED:
            self._changed(self.session.name, change.id, change.enable)
        return updated

    def switch(self, name: str, *, enable: bool) -> Updated:
        """Switch a rule on or off."""
        switched = updating.switch_rule(self.session.hub, name, self._clock, enable=enable)
        if switched.outcome is Outcome.APPLIED:
            self._changed(self.session.name, name, enable)
        return switched

    def delete(self, name: str) -> Deleted:
        """Delete a rule with its own variables; what it was is kept on the shelf first."""
        self._keep(name)
        deleted = updating.delete_rule(self.session.hub, name)
        if deleted.outcome is Outcome.APPLIED:
            self._changed(self.session.name, name, None)
        return deleted

    def addressed(self, rule: Rule) -> Rule:
        """Return a rule with an id: its own, else a free one, and then its own scope wherever it says `rule`."""
        if rule.id:
            return rule
        return with_own_scope(with_id(rule, creating.choose_id(self.session.hub, self._clock)))

    def plan(self, rule: Rule) -> Plan:
        """Say what deploying a rule would change; nothing is written."""
        return deploying.plan_deployment(self.session.hub, rule, self.session.home(), self._clock)

    def deploy(self, rule: Rule, token: str | None = None) -> Deployed:
        """Deploy a rule; with the `token` of a plan only if that would still be the change."""
        plan = self.plan(rule)
        if token is not None and token != plan.token:
            raise Conflict("graph_hub_stale", id=rule.id)
        return deploying.apply_plan(self.session.hub, plan, self._clock, self._shelve)

    def receipts(self, name: str) -> list[Kept]:
        """Return what is on the shelf of a rule, the newest first."""
        return self.shelf.of(self.session.name, name)

    def number_of(self, receipt: Receipt) -> int | None:
        """Return the number of a receipt that was just put on the shelf; None once newer ones have pushed it out."""
        return next((kept.number for kept in self.receipts(receipt.id) if kept.receipt.at == receipt.at), None)

    def roll_back(self, number: int) -> RolledBack:
        """Put back what a receipt says; what is there until then is kept on the shelf too."""
        kept = self.shelf.get(self.session.name, number)
        return deploying.roll_back(self.session.hub, kept.receipt, self._clock, self._shelve)

    def compare(self, rule: Rule, number: int | None = None) -> Diff:
        """Say how a rule differs from what the hub has under its id, or from a receipt."""
        if number is None:
            return diff_of(self._reader().rule(rule.id), rule)
        return diff_of(self.shelf.get(self.session.name, number).receipt.rule, rule)

    def _reader(self) -> Reader:
        return Reader(self.session.hub)

    def _keep(self, name: str) -> None:
        reader = self._reader()
        self._shelve(receipt_of(reader, name, reader.known_rule(name), self._clock))

    def _shelve(self, receipt: Receipt) -> Kept:
        return self.shelf.keep(self.session.name, receipt)


def nodes_of(given: Sequence[Json]) -> tuple[Node, ...]:
    """Return the nodes of a JSON list."""
    return tuple(Node.of(each) for each in given)
