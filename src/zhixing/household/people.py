"""The people of the home: a name, which is unique, and perhaps the role they go by (妈妈, 爸爸 …)."""

from __future__ import annotations

from zhixing.household.fields import one_line
from zhixing.kernel.errors import BadInput, Conflict, NotFound, TooLarge
from zhixing.store.connection import Store, Tx
from zhixing.store.counters import next_number
from zhixing.world.devices.port import DeviceHub, Person

LONGEST_NAME = 32
"""Characters of a name or a role."""
MOST_PEOPLE = 100
_COUNTER = "person"


class People:
    """Operations on the people. What the hub knows is taken over once, when nobody has ever been entered."""

    def __init__(self, store: Store, hub: DeviceHub) -> None:
        self._store = store
        self._hub = hub

    def list(self) -> list[Person]:
        """Return everybody, in the order they were entered."""
        with self._store.read() as tx:
            if _begun(tx):
                return _all(tx)
        # The hub may keep its people in the same store: it is asked outside of a transaction.
        known = self._hub.people()
        if not known:
            return []
        with self._store.write() as tx:
            if not _begun(tx):
                for person in known[:MOST_PEOPLE]:
                    name = _name(person.name)
                    if _named(tx, name) is None:
                        _insert(tx, name, _role(person.role))
            return _all(tx)

    def add(self, name: str, role: str = "") -> Person:
        """Enter somebody; raises `Conflict` for a name that is there already."""
        self.list()
        name, role = _name(name), _role(role)
        with self._store.write() as tx:
            if len(_all(tx)) >= MOST_PEOPLE:
                raise TooLarge("people_many", limit=MOST_PEOPLE)
            if _named(tx, name) is not None:
                raise Conflict("person_exists", name=name)
            return _insert(tx, name, role)

    def update(self, person_id: str, *, name: str | None = None, role: str | None = None) -> Person:
        """Change a name or a role; an empty role takes it away."""
        self.list()
        with self._store.write() as tx:
            before = _get(tx, person_id)
            after = Person(
                before.id,
                before.name if name is None else _name(name),
                before.role if role is None else _role(role),
            )
            other = _named(tx, after.name)
            if other is not None and other.id != after.id:
                raise Conflict("person_exists", name=after.name)
            tx.execute("UPDATE persons SET name = ?, role = ? WHERE id = ?", (after.name, after.role, after.id))
            return after

    def delete(self, person_id: str) -> Person:
        """Remove somebody; rules that name them keep their words."""
        self.list()
        with self._store.write() as tx:
            gone = _get(tx, person_id)
            tx.execute("DELETE FROM persons WHERE id = ?", (gone.id,))
            return gone


def _begun(tx: Tx) -> bool:
    return tx.row("SELECT value FROM counters WHERE name = ?", (_COUNTER,)) is not None


def _all(tx: Tx) -> list[Person]:
    return [Person(*row) for row in tx.rows("SELECT id, name, role FROM persons ORDER BY number")]


def _named(tx: Tx, name: str) -> Person | None:
    row = tx.row("SELECT id, name, role FROM persons WHERE name = ?", (name,))
    return None if row is None else Person(*row)


def _get(tx: Tx, person_id: str) -> Person:
    row = tx.row("SELECT id, name, role FROM persons WHERE id = ?", (person_id,))
    if row is None:
        raise NotFound("person_unknown", id=person_id[:64])
    return Person(*row)


def _insert(tx: Tx, name: str, role: str) -> Person:
    number = next_number(tx, _COUNTER)
    person = Person(f"p{number}", name, role)
    tx.execute("INSERT INTO persons (id, number, name, role) VALUES (?, ?, ?, ?)", (person.id, number, name, role))
    return person


def _name(text: str) -> str:
    name = _role(text)
    if not name:
        raise BadInput("person_name_empty")
    return name


def _role(text: str) -> str:
    role = one_line(text)
    if len(role) > LONGEST_NAME:
        raise TooLarge("person_name_long", limit=LONGEST_NAME)
    return role
