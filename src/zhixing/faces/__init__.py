"""Parse, call one operation, render. No decisions here."""
