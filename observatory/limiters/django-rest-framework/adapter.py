"""Django REST framework's throttling by user, as its guide sets it up; a key is a user."""
import os

import django
from django.conf import settings

throttling = {
    'DEFAULT_THROTTLE_CLASSES': ['rest_framework.throttling.UserRateThrottle'],
    'DEFAULT_THROTTLE_RATES': {'user': '20/second'},
}
settings.configure(
    ALLOWED_HOSTS=['*'],
    ROOT_URLCONF=__name__,
    REST_FRAMEWORK={'UNAUTHENTICATED_USER': None, **({} if os.environ.get('LIMITER') == 'off' else throttling)},
)
django.setup()

from django.core.management import call_command
from django.core.servers.basehttp import WSGIServer
from django.urls import path
from rest_framework.authentication import BaseAuthentication
from rest_framework.decorators import api_view, authentication_classes
from rest_framework.response import Response


class ByKey(BaseAuthentication):
    def authenticate(self, request):
        key = request.headers.get('X-Api-Key')
        return (type('User', (), {'pk': key, 'is_authenticated': True}), None) if key else None


@api_view()
@authentication_classes([ByKey])
def limited(request):
    return Response('served')


urlpatterns = [path('limited', limited)]
WSGIServer.request_queue_size = 128  # or a busy machine drops connections beyond ten, which says nothing of the limiter
call_command('runserver', f"127.0.0.1:{os.environ['PORT']}", '--noreload')
